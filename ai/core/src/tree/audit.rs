//! What must be true of a tree after every simulation, checked in all unit tests.

use super::{COUNTED, NOBODY, NONE, OCTET, Tree, UNTRIED, WIDE, score};

impl<A: Copy + Ord> Tree<A> {
    /// Checks all that can be reached from this root.
    pub fn audit(&self, root: usize) {
        assert_eq!(self.nodes.len(), OCTET * self.octets.len());
        assert_eq!(self.nodes.len(), self.actions.len());
        assert!(self.cold.is_empty() || self.cold.len() == self.nodes.len());
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.audit_children(node);
            self.audit_next(node);
            open.extend(self.children(node));
        }
    }

    fn audit_children(&self, at: usize) {
        let node = self.node(at);
        let children = self.children(at);
        assert_eq!(node.flags & WIDE != 0, children.len() > OCTET);
        let names: Vec<(u8, A)> =
            children.clone().map(|child| (self.node(child).side, self.action(child))).collect();
        assert!(names.is_sorted_by(|one, other| one < other), "children are sorted");
        let mut visits = 0;
        for octet in node.octets() {
            for entry in OCTET * octet..OCTET * (octet + 1) {
                let mean = self.mean(entry);
                if children.contains(&entry) {
                    assert_eq!(self.is_new(entry), mean >= UNTRIED);
                    assert!(self.is_new(entry) || (0.0..=1.0).contains(&mean), "a mean of {mean}");
                    visits += self.node(entry).visits;
                } else {
                    assert!(self.is_new(entry) && mean == NOBODY && self.hot(entry).spread == 0.0, "padding");
                }
            }
        }
        assert!(visits <= node.visits, "{visits} visits of children, {} of the node", node.visits);
    }

    /// The child that is selected beforehand is one with the best score.
    fn audit_next(&self, at: usize) {
        let node = self.node(at);
        if node.next == NONE {
            return;
        }
        let next = node.next as usize;
        assert!(self.children(at).contains(&next), "the next child is none of the children");
        let n = if node.flags & COUNTED == 0 { node.visits } else { self.cold[at].passes + 1 };
        let factor = self.selection.factor(n as f32);
        assert!(self.selection.first_play.is_none());
        let score = |child| score(self.hot(child), factor, None);
        let best = self.children(at).map(score).fold(f32::NEG_INFINITY, f32::max);
        assert!(score(next) >= best * (1.0 - 2e-6), "{} is next, {best} the best score", score(next));
    }
}
