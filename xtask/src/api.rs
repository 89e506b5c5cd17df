//! The public items of a crate, listed from the pages that rustdoc makes.
//!
//! The pages say all that the compiler knows of an item (fields, signatures, bounds, traits) and are
//! there with any toolchain, unlike rustdoc's JSON. Their form may change between versions of
//! rustdoc, so a listing names the version that made it and is compared with no other's.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::metadata::{Metadata, Package};

/// The file that holds the listing of a crate, in its folder.
const FILE: &str = "api.txt";

/// The public items of one crate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Listing {
    /// The version of the crate.
    pub(crate) version: String,
    /// The version of rustdoc.
    pub(crate) rustdoc: String,
    /// One line for each item, method and implementation, sorted.
    pub(crate) items: BTreeSet<String>,
}

/// What differs between two listings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Nothing.
    None,
    /// Items are there that were not.
    Added(usize),
    /// Items are gone or changed; users may have to change their code.
    Broken { gone: usize, added: usize },
}

impl Listing {
    /// Reads the listing that is kept in the folder of a crate, if there is one.
    pub(crate) fn kept(package: &Package) -> Option<Self> {
        let text = fs::read_to_string(package.folder.join(FILE)).ok()?;
        Listing::from_text(&text)
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        // `# agent-schema 0.1.0, rustdoc 1.95.0`
        let (package, rustdoc) = lines.next()?.split_once(", rustdoc ")?;
        let version = package.rsplit(' ').next()?;
        Some(Listing {
            version: version.to_owned(),
            rustdoc: rustdoc.to_owned(),
            items: lines
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_owned)
                .collect(),
        })
    }

    fn to_text(&self, package: &Package) -> String {
        let mut out = format!(
            "# {} {}, rustdoc {}\n# The public items, made by `cargo xtask api`.\n",
            package.name, self.version, self.rustdoc
        );
        for item in &self.items {
            // Writing to a text cannot fail.
            let _ = writeln!(out, "{item}");
        }
        out
    }

    /// Lists what the pages of a crate tell; nothing if they are not there.
    pub(crate) fn of_pages(doc: &Path, package: &Package) -> std::io::Result<Option<Self>> {
        let name = package.name.replace('-', "_");
        let pages = doc.join(&name);
        let Ok(all) = fs::read_to_string(pages.join("all.html")) else {
            return Ok(None);
        };
        let mut listing = Listing {
            version: package.version.clone(),
            rustdoc: rustdoc_version(&all).unwrap_or_default().to_owned(),
            items: BTreeSet::new(),
        };
        // The folder may hold pages of items that are gone; only the list of all is always new.
        let mut folders = BTreeSet::from([PathBuf::new()]);
        for list in inside(&all, "<ul class=\"all-items\">", "</ul>") {
            for link in inside(list, "href=\"", "\"") {
                let file = Path::new(link);
                let html = fs::read_to_string(pages.join(file))?;
                add_item(&name, file, &html, &mut listing.items);
                folders.extend(file.ancestors().skip(1).map(Path::to_path_buf));
            }
        }
        for folder in folders {
            let index = fs::read_to_string(pages.join(&folder).join("index.html"))?;
            let path = module(&name, &folder);
            for reexport in inside(&index, "<code>pub use ", ";") {
                listing
                    .items
                    .insert(format!("{path}: pub use {}", words(reexport)));
            }
        }
        Ok(Some(listing))
    }

    /// Tells what became of these items in another listing.
    pub(crate) fn difference(&self, newer: &Listing) -> Difference {
        let gone = self.items.difference(&newer.items).count();
        let added = newer.items.difference(&self.items).count();
        match (gone, added) {
            (0, 0) => Difference::None,
            (0, added) => Difference::Added(added),
            (gone, added) => Difference::Broken { gone, added },
        }
    }
}

/// Writes the listings of all published libraries from the pages that are there.
pub(crate) fn write(metadata: &Metadata) -> Result<bool, Box<dyn std::error::Error>> {
    for package in metadata.libraries() {
        let Some(listing) = Listing::of_pages(&metadata.doc(), package)? else {
            return Err(format!(
                "there are no pages of `{}`; `cargo doc --workspace --no-deps` makes them",
                package.name
            )
            .into());
        };
        let path = package.folder.join(FILE);
        fs::write(&path, listing.to_text(package))?;
        println!("{}: {} lines", path.display(), listing.items.len());
    }
    Ok(true)
}

/// Adds the lines of one item: itself, its methods, and the traits that it has by its own code.
fn add_item(crate_name: &str, file: &Path, html: &str, items: &mut BTreeSet<String>) {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let (kind, item) = stem.split_once('.').unwrap_or(("", &stem));
    let folder = file.parent().unwrap_or(Path::new(""));
    let path = format!("{}::{item}", module(crate_name, folder));
    let declarations = inside(
        html,
        "<pre class=\"rust item-decl\"><code>",
        "</code></pre>",
    );
    let declaration = declarations.into_iter().next().unwrap_or_default();
    let mut declaration = words(&without(declaration, "<summary", "</summary>"));
    if matches!(kind, "constant" | "static") {
        // The value is no part of what code can rely on.
        declaration.truncate(declaration.find(" = ").unwrap_or(declaration.len()));
    }
    items.insert(format!("{path}: {declaration}"));
    if kind == "trait" {
        return;
    }
    // What follows holds for every type alike, or follows from the parts.
    let own = until(html, "<h2 id=\"synthetic-implementations\"");
    let own = until(own, "<h2 id=\"blanket-implementations\"");
    let methods = until(own, "<h2 id=\"trait-implementations\"");
    for signature in inside(methods, "<h4 class=\"code-header\">", "</h4>") {
        items.insert(format!("{path}: {}", words(signature)));
    }
    for implementation in inside(&own[methods.len()..], "<h3 class=\"code-header\">", "</h3>") {
        let implementation = words(implementation);
        // The compiler adds it to what can stand in a pattern; nobody can name it.
        if !implementation.contains("StructuralPartialEq") {
            items.insert(format!("{path}: {implementation}"));
        }
    }
}

fn module(crate_name: &str, folder: &Path) -> String {
    let mut path = crate_name.to_owned();
    for part in folder {
        path.push_str("::");
        path.push_str(&part.to_string_lossy());
    }
    path
}

fn rustdoc_version(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("data-rustdoc-version=\"")?;
    rest.split([' ', '"']).next()
}

/// Returns every text between an opening and the closing behind it.
fn inside<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(open) {
        let Some((inner, after)) = behind.split_once(close) else {
            break;
        };
        found.push(inner);
        rest = after;
    }
    found
}

/// Returns the text without what stands between an opening and a closing.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        rest = behind.split_once(close).map_or("", |(_, after)| after);
    }
    out + rest
}

fn until<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or(text, |(before, _)| before)
}

/// Returns what a person reads: no tags, no entities, one space where there are several.
fn words(html: &str) -> String {
    let mut text = without(html, "<", ">");
    for (entity, letter) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, letter);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<pre class=\"rust item-decl\"><code>pub struct Span {\n    pub start: \
        <a href=\"x\">u32</a>,<details><summary><span>Show 1 field</span></summary>\n    pub of: \
        &amp;'static [<a>T</a>],</details>\n}</code></pre>\
        <h2 id=\"implementations\"></h2><h3 class=\"code-header\">impl Span</h3>\
        <h4 class=\"code-header\">pub fn <a>new</a>() -&gt; Self</h4>\
        <h2 id=\"trait-implementations\"></h2><h3 class=\"code-header\">impl Clone for Span</h3>\
        <h4 class=\"code-header\">fn clone(&amp;self) -&gt; Span</h4>\
        <h2 id=\"synthetic-implementations\"></h2><h3 class=\"code-header\">impl Send for Span</h3>";

    fn listing(items: &[&str]) -> Listing {
        Listing {
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            ..Listing::default()
        }
    }

    #[test]
    fn an_item_is_told_with_its_methods_and_traits() {
        let mut items = BTreeSet::new();
        add_item(
            "one",
            Path::new("source/struct.Span.html"),
            PAGE,
            &mut items,
        );
        let expected = [
            "one::source::Span: impl Clone for Span",
            "one::source::Span: pub fn new() -> Self",
            "one::source::Span: pub struct Span { pub start: u32, pub of: &'static [T], }",
        ];
        assert_eq!(
            items.iter().map(String::as_str).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn what_is_gone_breaks_and_what_is_new_does_not() {
        let old = listing(&["a", "b"]);
        assert_eq!(old.difference(&old), Difference::None);
        assert_eq!(
            old.difference(&listing(&["a", "b", "c"])),
            Difference::Added(1)
        );
        assert_eq!(
            old.difference(&listing(&["a", "c"])),
            Difference::Broken { gone: 1, added: 1 }
        );
    }
}
