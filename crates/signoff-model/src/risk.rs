use std::fmt;

/// How bad it would be if nobody looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Risk {
    /// Reads, builds, tests, dry runs.
    #[default]
    None,
    /// Undone by one routine step.
    Low,
    /// May lose a little, or is not fully understood.
    Medium,
    /// May lose data, history or uncommitted work; publishes; changes the machine; shows secrets.
    High,
    /// Production, mass loss, whole databases, important files.
    Critical,
}

impl Risk {
    /// Every level, lowest first.
    pub const ALL: [Self; 5] = [Self::None, Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The stable name used on the wire and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
