//! Text aligned in columns, for a terminal.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// Lines of aligned columns, each indented by two spaces and ended by a newline: the headers, then the rows. A column
/// in which every cell is a number (with a sign or `%`, or `-` where there is none) is aligned on the right, any
/// other on the left. Lines are never folded and have no spaces at their ends.
pub(crate) fn table<H, R, C>(headers: &[H], rows: R) -> String
where
    H: AsRef<str>,
    R: IntoIterator,
    R::Item: IntoIterator<Item = C>,
    C: Into<String>,
{
    render(headers.iter().map(AsRef::as_ref).collect(), strings(rows))
}

/// As [`table`], without headers.
pub(crate) fn aligned<R, C>(rows: R) -> String
where
    R: IntoIterator,
    R::Item: IntoIterator<Item = C>,
    C: Into<String>,
{
    render(Vec::new(), strings(rows))
}

fn strings<R, C>(rows: R) -> Vec<Vec<String>>
where
    R: IntoIterator,
    R::Item: IntoIterator<Item = C>,
    C: Into<String>,
{
    rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect()
}

fn render(headers: Vec<&str>, rows: Vec<Vec<String>>) -> String {
    let width = rows.iter().map(Vec::len).chain([headers.len()]).max().unwrap_or(0);
    let is_right: Vec<bool> = (0..width)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
            cells.clone().next().is_some() && cells.clone().all(|cell| is_number(cell))
        })
        .collect();
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if !headers.is_empty() {
        table.set_header(headers);
    }
    table.add_rows(rows);
    for (column, is_right) in table.column_iter_mut().zip(is_right) {
        column.set_padding((2, 0));
        if is_right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Whether a cell is a number as reports write them: `12`, `-3.5`, `40.1%`, `1,000`, `12.`, or `-` for none.
fn is_number(cell: &str) -> bool {
    let digits = cell.trim_start_matches(['+', '-']).trim_end_matches(['%', '.']);
    cell == "-"
        || digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_and_words_begin_in_one_column() {
        let rows =
            [["random", "7.5", "40.1% [38, 42]"], ["mcts:iterations=40", "-120.25", ""], ["é", "-", "5%"]];
        let text = table(&["agent", "points", "share"], rows);
        assert_eq!(
            text,
            "  agent                points  share\n  \
             random                  7.5  40.1% [38, 42]\n  \
             mcts:iterations=40  -120.25\n  \
             é                         -  5%\n"
        );
    }

    #[test]
    fn long_cells_are_not_folded_and_rows_may_be_short() {
        let long = "word ".repeat(60);
        let text = aligned([vec!["a", long.as_str()], vec!["b"]]);
        assert_eq!(text, format!("  a  {}\n  b\n", long.trim_end()));
        assert_eq!(aligned(Vec::<Vec<String>>::new()), "");
    }
}
