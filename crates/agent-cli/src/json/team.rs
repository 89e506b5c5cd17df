//! The answer of `team`.

use serde::Serialize;

use agent_factory::{Member, Team};

use crate::request::Reading;

/// A team, and what one of its members is told.
#[derive(Serialize)]
pub(crate) struct TeamInfo<'a> {
    dialect: &'static str,
    profile: &'static str,
    members: Vec<MemberInfo<'a>>,
    /// Only for the member that was asked for.
    section: Option<&'a str>,
    /// Only if the whole prompt was asked for.
    prompt: Option<&'a str>,
}

#[derive(Serialize)]
struct MemberInfo<'a> {
    name: &'a str,
    role: Option<&'a str>,
    /// Whether its teammates are told of it.
    told: bool,
}

impl<'a> TeamInfo<'a> {
    pub(crate) fn new(
        reading: Reading,
        team: Option<&'a Team>,
        section: Option<&'a str>,
        prompt: Option<&'a str>,
    ) -> Self {
        let members = team.map(Team::members).unwrap_or_default().iter();
        TeamInfo {
            dialect: reading.dialect.id,
            profile: reading.profile.id,
            members: members.map(MemberInfo::new).collect(),
            section,
            prompt,
        }
    }
}

impl<'a> MemberInfo<'a> {
    fn new(member: &'a Member) -> Self {
        MemberInfo {
            name: &member.name,
            role: member.role.as_deref(),
            told: member.told,
        }
    }
}
