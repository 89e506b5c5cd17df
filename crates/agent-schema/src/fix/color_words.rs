//! Which colour a word or a value means, and which of some words is the nearest to it.
//!
//! The words are those of style sheets, with a few that people use beside them.

/// A colour as it is shown: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rgb(u8, u8, u8);

/// How much a difference in lightness counts beside one in hue: a light and a dark green are both
/// called green.
const LIGHTNESS: f64 = 0.25;

/// What has less of a hue than this is a grey, black or white.
const LEAST_HUE: f64 = 0.03;

impl Rgb {
    /// Reads a word or a value such as `#rgb` and `#rrggbb`, with or without how far one can look
    /// through it.
    pub(super) fn read(text: &str) -> Option<Rgb> {
        let text = text.trim().to_ascii_lowercase();
        match text.strip_prefix('#') {
            Some(digits) => Rgb::from_digits(digits),
            None => {
                let word: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
                let at = WORDS.binary_search_by_key(&word.as_str(), |(word, _)| word);
                let (_, value) = WORDS.get(at.ok()?)?;
                let [_, red, green, blue] = value.to_be_bytes();
                Some(Rgb(red, green, blue))
            }
        }
    }

    fn from_digits(digits: &str) -> Option<Rgb> {
        let values: Option<Vec<u8>> = digits
            .chars()
            .map(|c| u8::try_from(c.to_digit(16)?).ok())
            .collect();
        match *values?.as_slice() {
            [r, g, b] | [r, g, b, _] => Some(Rgb(r * 17, g * 17, b * 17)),
            [r, r2, g, g2, b, b2] | [r, r2, g, g2, b, b2, _, _] => {
                Some(Rgb(r * 16 + r2, g * 16 + g2, b * 16 + b2))
            }
            _ => None,
        }
    }

    /// Writes it as `#rrggbb`.
    pub(super) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// Returns lightness and the two axes of hue, in the space Oklab, where distances are as people
    /// see them.
    fn seen(self) -> [f64; 3] {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            match part <= 0.04045 {
                true => part / 12.92,
                false => ((part + 0.055) / 1.055).powf(2.4),
            }
        };
        let (r, g, b) = (linear(self.0), linear(self.1), linear(self.2));
        let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let middle = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * long + 0.793_617_785_0 * middle - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205_0 * middle + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766_0 * short,
        ]
    }

    fn distance(self, other: Rgb) -> f64 {
        // How strong a hue is counts little: a dark one is weak, and has the same name.
        let places = [self, other].map(|color| {
            let [lightness, hue, other_hue] = color.seen();
            let shorter = hue.hypot(other_hue).powf(0.65).max(f64::EPSILON);
            [lightness * LIGHTNESS, hue / shorter, other_hue / shorter]
        });
        let [one, other] = places;
        let [lightness, hue, other_hue] = [0, 1, 2].map(|axis: usize| one[axis] - other[axis]);
        lightness.hypot(hue).hypot(other_hue)
    }

    /// Returns whether it is a grey, black or white.
    fn has_no_hue(self) -> bool {
        let [_, one, other] = self.seen();
        one.hypot(other) < LEAST_HUE
    }
}

/// Returns the word that names the colour nearest to one; nothing if no word is like it, as none
/// of the bright colours is like a grey.
pub(super) fn nearest<'w>(color: Rgb, words: &[&'w str]) -> Option<&'w str> {
    let mut nearest: Option<(f64, &str)> = None;
    for word in words {
        let shades = SHADES.iter().filter(|(known, _)| known == word);
        let shades = std::iter::once(*word).chain(shades.map(|(_, shade)| *shade));
        let known = shades.filter_map(Rgb::read);
        for known in known.filter(|known| known.has_no_hue() == color.has_no_hue()) {
            let distance = color.distance(known);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, word));
            }
        }
    }
    nearest.map(|(_, word)| word)
}

/// Words that people use for other shades too than the one of style sheets.
const SHADES: [(&str, &str); 2] = [("pink", "hotpink"), ("purple", "mediumorchid")];

/// Words for colours, sorted.
const WORDS: [(&str, u32); 160] = [
    ("aliceblue", 0xf0f8ff),
    ("amber", 0xffbf00),
    ("antiquewhite", 0xfaebd7),
    ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4),
    ("azure", 0xf0ffff),
    ("beige", 0xf5f5dc),
    ("bisque", 0xffe4c4),
    ("black", 0x000000),
    ("blanchedalmond", 0xffebcd),
    ("blue", 0x0000ff),
    ("blueviolet", 0x8a2be2),
    ("brown", 0xa52a2a),
    ("burgundy", 0x800020),
    ("burlywood", 0xdeb887),
    ("cadetblue", 0x5f9ea0),
    ("charcoal", 0x36454f),
    ("chartreuse", 0x7fff00),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkcyan", 0x008b8b),
    ("darkgoldenrod", 0xb8860b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkkhaki", 0xbdb76b),
    ("darkmagenta", 0x8b008b),
    ("darkolivegreen", 0x556b2f),
    ("darkorange", 0xff8c00),
    ("darkorchid", 0x9932cc),
    ("darkred", 0x8b0000),
    ("darksalmon", 0xe9967a),
    ("darkseagreen", 0x8fbc8f),
    ("darkslateblue", 0x483d8b),
    ("darkslategray", 0x2f4f4f),
    ("darkslategrey", 0x2f4f4f),
    ("darkturquoise", 0x00ced1),
    ("darkviolet", 0x9400d3),
    ("deeppink", 0xff1493),
    ("deepskyblue", 0x00bfff),
    ("dimgray", 0x696969),
    ("dimgrey", 0x696969),
    ("dodgerblue", 0x1e90ff),
    ("emerald", 0x2ecc71),
    ("firebrick", 0xb22222),
    ("floralwhite", 0xfffaf0),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff),
    ("gold", 0xffd700),
    ("goldenrod", 0xdaa520),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("greenyellow", 0xadff2f),
    ("grey", 0x808080),
    ("honeydew", 0xf0fff0),
    ("hotpink", 0xff69b4),
    ("indianred", 0xcd5c5c),
    ("indigo", 0x4b0082),
    ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lavenderblush", 0xfff0f5),
    ("lawngreen", 0x7cfc00),
    ("lemonchiffon", 0xfffacd),
    ("lightblue", 0xadd8e6),
    ("lightcoral", 0xf08080),
    ("lightcyan", 0xe0ffff),
    ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightgrey", 0xd3d3d3),
    ("lightpink", 0xffb6c1),
    ("lightsalmon", 0xffa07a),
    ("lightseagreen", 0x20b2aa),
    ("lightskyblue", 0x87cefa),
    ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de),
    ("lightyellow", 0xffffe0),
    ("lilac", 0xc8a2c8),
    ("lime", 0x00ff00),
    ("limegreen", 0x32cd32),
    ("linen", 0xfaf0e6),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("mediumaquamarine", 0x66cdaa),
    ("mediumblue", 0x0000cd),
    ("mediumorchid", 0xba55d3),
    ("mediumpurple", 0x9370db),
    ("mediumseagreen", 0x3cb371),
    ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a),
    ("mediumturquoise", 0x48d1cc),
    ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970),
    ("mint", 0x98ff98),
    ("mintcream", 0xf5fffa),
    ("mistyrose", 0xffe4e1),
    ("moccasin", 0xffe4b5),
    ("mustard", 0xe1ad01),
    ("navajowhite", 0xffdead),
    ("navy", 0x000080),
    ("oldlace", 0xfdf5e6),
    ("olive", 0x808000),
    ("olivedrab", 0x6b8e23),
    ("orange", 0xffa500),
    ("orangered", 0xff4500),
    ("orchid", 0xda70d6),
    ("palegoldenrod", 0xeee8aa),
    ("palegreen", 0x98fb98),
    ("paleturquoise", 0xafeeee),
    ("palevioletred", 0xdb7093),
    ("papayawhip", 0xffefd5),
    ("peach", 0xffcba4),
    ("peachpuff", 0xffdab9),
    ("peru", 0xcd853f),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("powderblue", 0xb0e0e6),
    ("purple", 0x800080),
    ("rebeccapurple", 0x663399),
    ("red", 0xff0000),
    ("rose", 0xff4f81),
    ("rosybrown", 0xbc8f8f),
    ("royalblue", 0x4169e1),
    ("ruby", 0xe0115f),
    ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072),
    ("sandybrown", 0xf4a460),
    ("sapphire", 0x0f52ba),
    ("scarlet", 0xff2400),
    ("seagreen", 0x2e8b57),
    ("seashell", 0xfff5ee),
    ("sienna", 0xa0522d),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("slateblue", 0x6a5acd),
    ("slategray", 0x708090),
    ("slategrey", 0x708090),
    ("snow", 0xfffafa),
    ("springgreen", 0x00ff7f),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("wheat", 0xf5deb3),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
    ("yellowgreen", 0x9acd32),
];

#[cfg(test)]
mod tests {
    use super::{Rgb, WORDS, nearest};

    const BRIGHT: [&str; 8] = [
        "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan",
    ];

    #[test]
    fn the_words_are_sorted_so_that_they_are_found() {
        assert!(WORDS.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn values_are_read() {
        assert_eq!(Rgb::read("#f00"), Rgb::read("red"));
        assert_eq!(Rgb::read("#FF0000"), Rgb::read("red"));
        assert_eq!(Rgb::read("#ff0000cc"), Rgb::read("red"));
        assert_eq!(
            Rgb::read("Dark Red").map(Rgb::hex),
            Some("#8b0000".to_owned())
        );
        for word in ["", "#", "#12", "#ggg", "loud", "#€€"] {
            assert_eq!(Rgb::read(word), None, "{word}");
        }
    }

    #[test]
    fn the_nearest_colour_is_what_a_person_would_call_it() {
        for (word, expected) in [
            ("red", "red"),
            ("crimson", "red"),
            ("#ef4444", "red"),
            ("navy", "blue"),
            ("#123456", "blue"),
            ("#123", "blue"),
            ("midnightblue", "blue"),
            ("darkslateblue", "blue"),
            ("#14532d", "green"),
            ("#7f1d1d", "red"),
            ("indigo", "purple"),
            ("violet", "purple"),
            ("#8b5cf6", "purple"),
            ("#a78bfa", "purple"),
            ("magenta", "purple"),
            ("lime", "green"),
            ("emerald", "green"),
            ("#34d399", "green"),
            ("teal", "cyan"),
            ("#22d3ee", "cyan"),
            ("#38bdf8", "cyan"),
            ("amber", "orange"),
            ("#f59e0b", "orange"),
            ("brown", "red"),
            ("gold", "yellow"),
            ("#f472b6", "pink"),
        ] {
            let color = Rgb::read(word).expect("it is a colour");
            assert_eq!(nearest(color, &BRIGHT), Some(expected), "{word}");
        }
    }

    #[test]
    fn no_bright_colour_is_like_a_grey() {
        for word in ["gray", "black", "white", "#808080"] {
            let color = Rgb::read(word).expect("it is a colour");
            assert_eq!(nearest(color, &BRIGHT), None, "{word}");
        }
    }
}
