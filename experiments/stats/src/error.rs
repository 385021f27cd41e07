/// Why a question could not be asked; the text is fit for the user of a command.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting outside its meaning.
    #[error("{what} is {value}; expected {expected}")]
    Setting {
        /// The name of the setting.
        what: String,
        /// What was given.
        value: String,
        /// What would do.
        expected: String,
    },
    /// Text that does not follow its form.
    #[error("`{text}`: expected {expected}")]
    Syntax {
        /// What was given.
        text: String,
        /// The form, with an example.
        expected: String,
    },
    /// Answers that do not fit the questions: so many values expected, so many given.
    #[error("{what}: {given} given, {expected} expected")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many there were.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
}

impl Error {
    pub(crate) fn setting(
        what: impl Into<String>,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Error::Setting { what: what.into(), value: value.to_string(), expected: expected.into() }
    }
}
