//! From a file, catalogs and profiles to an agent or an error. The cases under
//! `conformance/openhands/factory` are the yardstick; here stands what they do not tell.

mod errors;
mod limits;
mod mcp;
mod models;
mod output;
mod workshop;
