//! What the tests of positions share.

use sandtable_blitzwar::BlitzWar;
use sandtable_blitzwar::editor::Editor;

/// The map of a turn without units.
pub(crate) fn cleared(game: &BlitzWar, turn: u8) -> Editor<'_> {
    let mut editor = Editor::new(game);
    editor.clear_all();
    editor.turn(turn).unwrap();
    editor
}
