//! Row numbers of the tables, as types. They are valid within one database only; between databases
//! rows are identified by their natural keys.

/// Defines a number of a row of one table.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);
    )*};
}

ids! {
    /// A campaign.
    CampaignId;
    /// A configuration.
    ConfigurationId;
    /// An instance.
    InstanceId;
    /// A set of benchmarks.
    SetId;
    /// A track of a set.
    TrackId;
    /// A run.
    RunId;
}
