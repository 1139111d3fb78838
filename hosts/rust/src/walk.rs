//! What a profile has: columns, threads, frames and nodes.

use {
    crate::{
        text::{from_c, to_c},
        Error, Frame, FrameId, Profile, Result, Status,
    },
    toll_sys as sys,
};

/// A column of a [`Profile`], and valid for that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub(crate) u32);

/// A thread of a [`Profile`], and valid for that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub(crate) sys::toll_thread_id);

/// A node of a [`Profile`], and valid for that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) sys::toll_node_id);

impl NodeId {
    /// Its place in [`Profile::totals`], and among [`Profile::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is measured, and in which unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'p> {
    /// For functions that ask for values.
    pub id: ColumnId,
    /// "time", "calls", "gas". In files of pprof it is the sample type.
    pub name: &'p str,
    /// "nanoseconds", "count", "gas".
    pub unit: &'p str,
}

/// A thread, with its labels.
#[derive(Clone, Copy, Debug)]
pub struct Thread<'p> {
    profile: &'p Profile,
    id: ThreadId,
}

impl<'p> Thread<'p> {
    /// Its id.
    pub fn id(self) -> ThreadId {
        self.id
    }

    /// Its name; empty if the source has no threads.
    pub fn name(self) -> &'p str {
        // SAFETY: as in profile.rs; the text lives as long as the profile.
        unsafe { from_c(sys::toll_profile_thread_name(self.profile.as_ptr(), self.id.0)) }
    }

    /// Its labels, keys and values, in their order.
    pub fn labels(self) -> impl Iterator<Item = (&'p str, &'p str)> {
        let profile = self.profile.as_ptr();
        // SAFETY: as above.
        let count = unsafe { sys::toll_profile_thread_label_count(profile, self.id.0) };
        (0..count).map(move |i| unsafe {
            let label = sys::toll_profile_thread_label(profile, self.id.0, i);
            (from_c(label.key), from_c(label.value))
        })
    }
}

/// A call stack: the path from a thread's root, which has what was spent while no frame was open.
#[derive(Clone, Copy, Debug)]
pub struct Node<'p> {
    profile: &'p Profile,
    id: NodeId,
}

impl<'p> Node<'p> {
    /// Its id.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The stack of its caller; none for roots.
    pub fn parent(self) -> Option<Node<'p>> {
        // SAFETY: as in profile.rs.
        let parent = unsafe { sys::toll_profile_parent(self.profile.as_ptr(), self.id.0) };
        (parent != sys::TOLL_NONE).then_some(Node { id: NodeId(parent), ..self })
    }

    /// The innermost frame; none for roots.
    pub fn frame(self) -> Option<Frame<'p>> {
        // SAFETY: as in profile.rs.
        let frame = unsafe { sys::toll_profile_node_frame(self.profile.as_ptr(), self.id.0) };
        (frame != sys::TOLL_NONE).then(|| self.profile.frame(FrameId(frame)))
    }

    /// All of its frames, outermost first.
    pub fn stack(self) -> Vec<Frame<'p>> {
        let nodes = std::iter::successors(Some(self), |node| node.parent());
        let mut frames: Vec<_> = nodes.filter_map(Node::frame).collect();
        frames.reverse();
        frames
    }

    /// The cost of exactly this stack, without its callees. Only differences have negative values.
    pub fn self_value(self, column: ColumnId) -> i64 {
        // SAFETY: as in profile.rs.
        unsafe { sys::toll_profile_self(self.profile.as_ptr(), self.id.0, column.0) }
    }
}

impl Profile {
    // SAFETY: as in profile.rs.

    pub(crate) fn column_of(&self, id: u32) -> Option<Column<'_>> {
        let count = unsafe { sys::toll_profile_column_count(self.as_ptr()) };
        (id < count).then(|| unsafe {
            let column = sys::toll_profile_column(self.as_ptr(), id);
            Column { id: ColumnId(id), name: from_c(column.type_), unit: from_c(column.unit) }
        })
    }

    /// The columns.
    pub fn columns(&self) -> impl Iterator<Item = Column<'_>> {
        (0..).map_while(|id| self.column_of(id))
    }

    /// The first column of that name.
    pub fn column(&self, name: &str) -> Option<Column<'_>> {
        let name = to_c(name).ok()?;
        self.column_of(unsafe { sys::toll_profile_find_column(self.as_ptr(), name.as_ptr()) })
    }

    /// The frames.
    pub fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        let count = unsafe { sys::toll_profile_frame_count(self.as_ptr()) };
        (0..count).map(|id| self.frame(FrameId(id)))
    }

    /// A frame; all of its texts are empty if the profile has no such frame.
    pub fn frame(&self, id: FrameId) -> Frame<'_> {
        // SAFETY: as in profile.rs; the texts live as long as the profile.
        unsafe { Frame::of(sys::toll_profile_frame(self.as_ptr(), id.0)) }
    }

    /// The threads.
    pub fn threads(&self) -> impl Iterator<Item = Thread<'_>> {
        let count = unsafe { sys::toll_profile_thread_count(self.as_ptr()) };
        (0..count).map(|id| Thread { profile: self, id: ThreadId(id) })
    }

    /// The root of a thread's tree; none for a thread that the profile does not have.
    pub fn root(&self, thread: ThreadId) -> Option<NodeId> {
        let root = unsafe { sys::toll_profile_root(self.as_ptr(), thread.0) };
        (root != sys::TOLL_NONE).then_some(NodeId(root))
    }

    /// All nodes of all threads, roots included. A parent comes before its children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> + DoubleEndedIterator {
        let count = unsafe { sys::toll_profile_node_count(self.as_ptr()) };
        (0..count).map(|id| Node { profile: self, id: NodeId(id) })
    }

    /// The total of each node, at the [index](NodeId::index) of its id: its self value, and the
    /// totals of its children.
    pub fn totals(&self, column: ColumnId) -> Result<Vec<i64>> {
        let mut totals: Vec<i64> = self.nodes().map(|node| node.self_value(column)).collect();
        for node in self.nodes().rev() {
            if let Some(parent) = node.parent() {
                let at = parent.id.index();
                totals[at] = sum(totals[at], totals[node.id.index()])?;
            }
        }
        Ok(totals)
    }

    /// The sum of a column over all stacks of all threads.
    pub fn total(&self, column: ColumnId) -> Result<i64> {
        self.nodes().try_fold(0, |all, node| sum(all, node.self_value(column)))
    }
}

fn sum(a: i64, b: i64) -> Result<i64> {
    a.checked_add(b)
        .ok_or_else(|| Error::new(Status::Overflow, "the sum of a column does not fit 64 bits"))
}
