//! Parquet's pages of dictionary codes.
//!
//! Most columns are small counts and names: a dictionary and a code for each row. The library encodes such codes too, but
//! branches on each of them, which costs more than all the rest of writing a table. Here they are taken eight at a time.

use polars_arrow::array::{Array, DictionaryArray, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_error::PolarsResult;
use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::page::{DataPage, DataPageHeader};
use polars_parquet::write::{Encoding, Page, ParquetType, WriteOptions, array_to_columns};

/// Codes on a page at most.
const PAGE: usize = 1 << 18;

/// Codes that are packed together: with any width they fill whole bytes.
const GROUP: usize = 8;

/// Codes and what they stand for, as an array.
pub fn dictionary(
    codes: Vec<u32>,
    present: Option<Bitmap>,
    words: Box<dyn Array>,
) -> PolarsResult<Box<dyn Array>> {
    let kind = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(words.dtype().clone()), false);
    let codes = PrimitiveArray::from_vec(codes).with_validity(present);
    Ok(DictionaryArray::try_new(kind, codes, words)?.boxed())
}

/// The pages of a column in which no value can be missing: the dictionary, then the codes.
pub fn dictionary_pages(
    codes: &[u32],
    words: Box<dyn Array>,
    kind: ParquetType,
    options: WriteOptions,
) -> PolarsResult<Vec<Page>> {
    // The library writes the dictionary, its statistics and a data page of one row, whose header is used for all.
    let first = dictionary(vec![0], None, words)?;
    let mut pages = Vec::new();
    for page in array_to_columns(first, kind, options, &[Encoding::RleDictionary])?.into_iter().flatten() {
        match page? {
            Page::Data(model) => {
                pages.extend(codes.chunks(PAGE).map(|codes| Page::Data(filled(&model, codes))));
            }
            dictionary @ Page::Dict(_) => pages.push(dictionary),
        }
    }
    Ok(pages)
}

/// A page like the model with these codes.
fn filled(model: &DataPage, codes: &[u32]) -> DataPage {
    let mut header = model.header().clone();
    match &mut header {
        DataPageHeader::V1(header) => header.num_values = codes.len() as i32,
        DataPageHeader::V2(header) => {
            (header.num_values, header.num_rows) = (codes.len() as i32, codes.len() as i32);
        }
    }
    let mut buffer = Vec::new();
    encode(codes, &mut buffer);
    DataPage::new(header, CowBuffer::Owned(buffer), model.descriptor.clone(), codes.len())
}

/// Appends the width of the codes in bits, then the codes as Parquet's mixture of runs and packed groups.
fn encode(codes: &[u32], out: &mut Vec<u8>) {
    let width = u32::BITS - codes.iter().fold(0, |all, code| all | code).leading_zeros();
    out.push(width as u8);
    let (groups, rest) = codes.as_chunks::<GROUP>();
    let (mut packed, mut at) = (0, 0);
    while at < groups.len() {
        let code = groups[at][0];
        let run = groups[at..].iter().take_while(|&&group| group == [code; GROUP]).count();
        // A single group of equal codes is no longer packed than as a run of its own.
        if run > 1 {
            pack(&groups[packed..at], width, out);
            leb128((run * GROUP) << 1, out);
            out.extend_from_slice(&code.to_le_bytes()[..width.div_ceil(8) as usize]);
            packed = at + run;
        }
        at += run.max(1);
    }
    pack(&groups[packed..], width, out);
    if !rest.is_empty() {
        // What is beyond the last row is not read.
        let mut last = [0; GROUP];
        last[..rest.len()].copy_from_slice(rest);
        pack(&[last], width, out);
    }
}

/// Appends groups as one sequence of packed codes.
fn pack(groups: &[[u32; GROUP]], width: u32, out: &mut Vec<u8>) {
    if groups.is_empty() {
        return;
    }
    leb128(groups.len() << 1 | 1, out);
    out.reserve(groups.len() * width as usize);
    let (mut bits, mut filled) = (0u64, 0);
    for &code in groups.as_flattened() {
        bits |= u64::from(code) << filled;
        filled += width;
        if filled >= u32::BITS {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    }
    out.extend_from_slice(&bits.to_le_bytes()[..filled.div_ceil(8) as usize]);
}

/// Appends a number seven bits at a time, the lowest first.
fn leb128(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use polars_parquet::parquet::encoding::hybrid_rle::HybridRleDecoder;
    use sandtable_core::{Dice, Rng64};

    use super::*;

    #[test]
    fn codes_are_read_back_by_the_library() {
        let mut dice = Rng64::stream(1, 0, 0);
        for case in 0..2000 {
            let largest = 1 << dice.below(32);
            let mut codes = Vec::new();
            while codes.len() < 1 + case % 300 {
                let code = dice.below(largest);
                codes.extend(std::iter::repeat_n(code, 1 + dice.below(3) as usize * dice.below(20) as usize));
            }
            let mut bytes = Vec::new();
            encode(&codes, &mut bytes);
            let decoder = HybridRleDecoder::new(&bytes[1..], u32::from(bytes[0]), codes.len());
            assert_eq!(decoder.collect().unwrap(), codes, "case {case}");
        }
    }
}
