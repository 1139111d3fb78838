//! Only its dependency is wanted.
