//! What must be true of a tree after every simulation, checked in all unit tests.

use super::Tree;

impl<A: Copy + Ord> Tree<A> {
    /// Checks all that can be reached from this root.
    pub fn audit(&self, root: usize) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.audit_children(node);
            open.extend(self.children(node));
        }
    }

    fn audit_children(&self, at: usize) {
        let node = self.node(at);
        let children = &self.nodes[self.children(at)];
        assert!(
            children.is_sorted_by(|one, other| (one.side, one.action) < (other.side, other.action)),
            "sorted"
        );
        for child in children {
            assert!((0.0..=1.0).contains(&child.mean), "a mean of {}", child.mean);
            assert!(child.exploration >= 0.0 && child.exploration.is_finite());
        }
        let visits: u32 = children.iter().map(|child| child.visits).sum();
        assert!(visits <= node.visits, "{visits} visits of children, {} of the node", node.visits);
    }
}
