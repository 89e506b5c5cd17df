//! Cells in columns, without borders, so that lines can be searched and cut.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::text::paint::{self, painted};
use crate::text::wrap::wrap;

/// What stands between two columns.
const BETWEEN: &str = "  ";

/// The least width of folded prose, however narrow the terminal is.
const LEAST_PROSE: usize = 20;

/// Cells in columns.
#[derive(Debug)]
pub(crate) struct Table {
    indent: usize,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// How a column looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    title: &'static str,
    style: Style,
    narrow: Narrow,
}

/// What happens to a column where the terminal is too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Narrow {
    /// It stays whole.
    Whole,
    /// The end of its cells is cut off.
    LosesEnd { turn: u8 },
    /// The start of its cells is cut off, as with a path.
    LosesStart { turn: u8 },
    /// Its cells go to lines of their own, and the columns before it are not cut.
    Folds,
}

/// The text of a cell, on one line.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    style: Option<Style>,
}

impl Column {
    /// A column that is always whole. Titles are printed if any column has one.
    pub(crate) const fn new(title: &'static str) -> Self {
        Column {
            title,
            style: paint::PLAIN,
            narrow: Narrow::Whole,
        }
    }

    /// The style of its cells.
    pub(crate) const fn styled(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The end of its cells may be cut off, in its turn.
    pub(crate) const fn may_lose_end(mut self, turn: u8) -> Self {
        self.narrow = Narrow::LosesEnd { turn };
        self
    }

    /// The start of its cells may be cut off, in its turn.
    pub(crate) const fn may_lose_start(mut self, turn: u8) -> Self {
        self.narrow = Narrow::LosesStart { turn };
        self
    }

    /// Its cells may go to lines of their own. Only for the last column.
    pub(crate) const fn may_fold(mut self) -> Self {
        self.narrow = Narrow::Folds;
        self
    }
}

impl Narrow {
    /// When the column is cut, and to which width.
    fn turn(self) -> Option<(u8, usize)> {
        match self {
            Narrow::LosesEnd { turn } => Some((turn, 8)),
            Narrow::LosesStart { turn } => Some((turn, 24)),
            Narrow::Whole | Narrow::Folds => None,
        }
    }
}

impl Cell {
    /// A cell with a style of its own.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Cell {
            text: text.into(),
            style: Some(style),
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell {
            text: text.into(),
            style: None,
        }
    }
}

impl Table {
    /// Makes a table without rows.
    pub(crate) fn new(indent: usize, columns: impl IntoIterator<Item = Column>) -> Self {
        Table {
            indent,
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for each column.
    pub(crate) fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        debug_assert_eq!(N, self.columns.len());
        self.rows.push(cells.into());
    }

    /// Returns whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Renders the table. Where no width is given it is as wide as it needs to be.
    pub(crate) fn render(&self, width: Option<usize>) -> String {
        let natural = self.natural_widths();
        match width {
            Some(width) if self.total(&natural) > width => match self.columns.last() {
                Some(last) if last.narrow == Narrow::Folds => self.render_folded(&natural, width),
                _ => self.render_lines(&self.cut_widths(natural, width)),
            },
            _ => self.render_lines(&natural),
        }
    }

    /// How wide the columns would like to be: as wide as their cells.
    fn natural_widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(index, column)| {
                let cells = self.rows.iter().filter_map(|row| row.get(index));
                let widths = cells.map(|cell| cell.text.width());
                widths.chain([column.title.width()]).max().unwrap_or(0)
            })
            .collect()
    }

    fn total(&self, widths: &[usize]) -> usize {
        let between = BETWEEN.len() * widths.len().saturating_sub(1);
        self.indent + between + widths.iter().sum::<usize>()
    }

    /// Cuts one column after the other, each in its turn.
    fn cut_widths(&self, mut widths: Vec<usize>, width: usize) -> Vec<usize> {
        let mut turns: Vec<(u8, usize, usize)> = self
            .columns
            .iter()
            .enumerate()
            .filter_map(|(index, column)| {
                let (turn, least) = column.narrow.turn()?;
                Some((turn, index, least))
            })
            .collect();
        turns.sort_unstable();
        for (_, index, least) in turns {
            let excess = self.total(&widths).saturating_sub(width);
            let spare = widths[index].saturating_sub(least);
            widths[index] -= excess.min(spare);
        }
        widths
    }

    fn render_lines(&self, widths: &[usize]) -> String {
        let mut out = String::new();
        self.titles(&mut out, widths);
        for row in &self.rows {
            self.row_line(&mut out, row, widths);
        }
        out
    }

    /// Puts the cells of the last column below the others.
    fn render_folded(&self, natural: &[usize], width: usize) -> String {
        let (_, widths) = natural.split_last().unwrap_or((&0, &[]));
        let indent = self.indent + widths.first().map_or(0, |first| first + BETWEEN.len());
        let room = width.saturating_sub(indent).max(LEAST_PROSE);
        let mut out = String::new();
        self.titles(&mut out, widths);
        for row in &self.rows {
            self.row_line(&mut out, row, widths);
            for line in row
                .last()
                .into_iter()
                .flat_map(|cell| wrap(&cell.text, room))
            {
                out.push_str(&format!("{}{line}\n", " ".repeat(indent)));
            }
        }
        out
    }

    fn titles(&self, out: &mut String, widths: &[usize]) {
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            let titles = self.columns.iter();
            let titles = titles.map(|column| (column.title.to_owned(), paint::TITLE));
            self.line(out, widths, titles);
        }
    }

    fn row_line(&self, out: &mut String, row: &[Cell], widths: &[usize]) {
        let cells = row.iter().zip(&self.columns).zip(widths);
        let cells = cells.map(|((cell, column), width)| {
            let text = cut(&cell.text, *width, column.narrow);
            (text, cell.style.unwrap_or(column.style))
        });
        self.line(out, widths, cells);
    }

    fn line(
        &self,
        out: &mut String,
        widths: &[usize],
        cells: impl Iterator<Item = (String, Style)>,
    ) {
        // Spaces are only written before something, so that no line ends with them.
        let mut missing = self.indent;
        for ((text, style), width) in cells.zip(widths) {
            if !text.is_empty() {
                out.push_str(&" ".repeat(missing));
                out.push_str(&painted(style, &text).to_string());
                missing = 0;
            }
            missing += width.saturating_sub(text.width()) + BETWEEN.len();
        }
        out.push('\n');
    }
}

fn cut(text: &str, width: usize, narrow: Narrow) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    match narrow {
        Narrow::Whole | Narrow::Folds => text.to_owned(),
        Narrow::LosesEnd { .. } => {
            let kept: String = fitting(text.chars(), room).into_iter().collect();
            format!("{}…", kept.trim_end())
        }
        Narrow::LosesStart { .. } => {
            let kept = fitting(text.chars().rev(), room);
            format!("…{}", kept.into_iter().rev().collect::<String>())
        }
    }
}

fn fitting(chars: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or_default();
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(table: &Table, width: usize) -> Vec<String> {
        let text = table.render(Some(width));
        let text = anstream::adapter::strip_str(&text).to_string();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn columns_are_cut_in_their_turn() {
        let columns = [
            Column::new("NAME"),
            Column::new("TOOLS").may_lose_end(1),
            Column::new("SOURCE").may_lose_start(2),
        ];
        let mut table = Table::new(0, columns);
        table.row([
            "漢字".into(),
            "terminal, file_editor".into(),
            "project/.agents/agents/c.md".into(),
        ]);
        table.row([
            "reviewer".into(),
            "".into(),
            "home/.agents/agents/reviewer.md".into(),
        ]);
        assert_eq!(
            lines(&table, 80),
            [
                "NAME      TOOLS                  SOURCE",
                "漢字      terminal, file_editor  project/.agents/agents/c.md",
                "reviewer                         home/.agents/agents/reviewer.md",
            ]
        );
        assert_eq!(
            lines(&table, 57),
            [
                "NAME      TOOLS           SOURCE",
                "漢字      terminal, fil…  project/.agents/agents/c.md",
                "reviewer                  home/.agents/agents/reviewer.md",
            ]
        );
        assert_eq!(
            lines(&table, 44),
            [
                "NAME      TOOLS     SOURCE",
                "漢字      termina…  …ect/.agents/agents/c.md",
                "reviewer            …ents/agents/reviewer.md",
            ]
        );
    }

    #[test]
    fn the_last_column_goes_below_the_others() {
        let columns = [Column::new(""), Column::new(""), Column::new("").may_fold()];
        let mut table = Table::new(2, columns);
        table.row([
            "a".into(),
            "a/long/path.md".into(),
            "because it is so".into(),
        ]);
        assert_eq!(lines(&table, 80), ["  a  a/long/path.md  because it is so"]);
        assert_eq!(
            lines(&table, 26),
            ["  a  a/long/path.md", "     because it is so"]
        );
    }
}
