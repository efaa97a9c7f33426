//! The words from which the generator makes apps.

use crate::schema::{Shape, Word, Words};
use taproof_phone::Icon;

/// A kind of things with its words.
pub(crate) struct Thing {
    pub noun: &'static str,
    pub plural: &'static str,
    pub icon: Icon,
    /// Further fields, of which a generated type has some.
    pub fields: &'static [(&'static str, Shape)],
    /// Names of shipped objects.
    pub names: &'static [&'static str],
    /// What a second text says about them.
    pub notes: &'static [&'static str],
}

const fn thing(
    noun: &'static str,
    plural: &'static str,
    icon: Icon,
    fields: &'static [(&'static str, Shape)],
    names: &'static [&'static str],
    notes: &'static [&'static str],
) -> Thing {
    Thing { noun, plural, icon, fields, names, notes }
}

/// What apps of this kind are called: in front of the plural of their first type, or behind it.
pub(crate) const TITLES: [(&str, &str); 12] = [
    ("My", ""),
    ("Simple", ""),
    ("", "Box"),
    ("Open", ""),
    ("", "Keeper"),
    ("Pocket", ""),
    ("", "Log"),
    ("Daily", ""),
    ("", "Planner"),
    ("Tiny", ""),
    ("", "Manager"),
    ("Quick", ""),
];

/// Main colours.
pub(crate) const ACCENTS: [u32; 12] = [
    0x00_6064, 0x1B_5E20, 0x26_3238, 0x28_3593, 0x3E_2723, 0x4A_148C, 0x55_6B2F, 0x6A_1B9A, 0x88_0E4F,
    0xAD_1457, 0xB7_1C1C, 0xBF_360C,
];

/// Labels of switches.
pub(crate) const SWITCHES: [&str; 8] = [
    "Notifications",
    "Use mobile data",
    "Large rows",
    "Play sounds",
    "Show hints",
    "Keep the screen on",
    "Send statistics",
    "Vibrate",
];

/// Titles and texts of pages that only show texts.
pub(crate) const TEXTS: [(&str, &str); 14] = [
    ("About", "Made with care by a small team. Thank you for using it."),
    ("Help", "Tap the round button to add something. Tap a row to see more of it."),
    ("Licences", "This program uses free software, whose authors we thank."),
    ("Privacy", "What you enter stays on this phone."),
    ("Changes", "Faster lists. Clearer texts. Several mistakes mended."),
    ("Tips", "You can search for a part of a name. Small and capital letters are the same there."),
    ("Contact", "Write to us, we read everything."),
    ("Translations", "Would you like to see this app in your language? Help us."),
    ("Shortcuts", "Press the icon of the app long to add something at once."),
    ("Backup", "A copy of your data is made each night while the phone is charged."),
    ("Imprint", "Responsible for the contents: the authors."),
    ("Support us", "This app is free and stays so. A good word helps."),
    ("Questions", "Why is something gone? Look into the trash. Why is it slow? Restart the phone."),
    ("Accessibility", "All buttons have descriptions for screen readers."),
];

const NOTE: (&str, Shape) = ("Notes", Shape::Lines);
const DONE: (&str, Shape) = ("Done", Shape::Check);
const WEIGHT: (&str, Shape) = ("Priority", Shape::Level);

/// The kinds of things.
pub(crate) const THINGS: [Thing; 28] = [
    thing(
        "recipe",
        "recipes",
        Icon::Restaurant,
        &[
            ("Ingredients", Shape::Lines),
            ("Cooked on", Shape::Date),
            ("Effort", Shape::Level),
            ("Vegan", Shape::Check),
            ("Servings", Shape::Number { least: 1, most: 20 }),
        ],
        &["Pea soup", "apple pie", "Shakshuka", "Brown bread", "Risotto", "Lentil salad"],
        &["peas, mint, stock", "six apples", "eggs and tomatoes", "rye and water"],
    ),
    thing(
        "plant",
        "plants",
        Icon::LocalFlorist,
        &[
            ("Place", Shape::Line),
            ("Watered on", Shape::Date),
            ("Light", Shape::Level),
            ("Pots", Shape::Number { least: 1, most: 50 }),
        ],
        &["Monstera", "aloe", "Basil", "Fern", "Orchid"],
        &["kitchen", "balcony", "hall"],
    ),
    thing(
        "trip",
        "trips",
        Icon::Flight,
        &[
            ("Where to", Shape::Line),
            ("Leaves on", Shape::Date),
            ("Booked", Shape::Check),
            ("Persons", Shape::Number { least: 1, most: 12 }),
            ("By", Shape::Choice(Words(&[Word("Train"), Word("Car"), Word("Plane")]))),
        ],
        &["Summer at the lake", "weekend in town", "Visit to Anna", "Conference", "Ski week"],
        &["Como", "Lyon", "Bergen"],
    ),
    thing(
        "workout",
        "workouts",
        Icon::DirectionsRun,
        &[
            ("Sets", Shape::Line),
            ("Last done", Shape::Date),
            ("Effort", Shape::Level),
            ("Minutes", Shape::Number { least: 5, most: 240 }),
        ],
        &["Legs", "back and arms", "Long run", "Swim", "Stretching"],
        &["3 x 12", "5 x 5", "40 minutes"],
    ),
    thing(
        "book",
        "books",
        Icon::Book,
        &[
            ("Author", Shape::Line),
            ("Read on", Shape::Date),
            ("Lent", Shape::Check),
            ("Pages", Shape::Number { least: 1, most: 2000 }),
        ],
        &["The Sea", "a quiet year", "Old Roads", "Letters", "Winter Garden", "Maps"],
        &["M. Ode", "L. Brandt", "I. Sato"],
    ),
    thing(
        "contact",
        "contacts",
        Icon::Person,
        &[
            ("Phone", Shape::Line),
            ("Birthday", Shape::Date),
            ("Kind", Shape::Choice(Words(&[Word("Private"), Word("Work")]))),
        ],
        &["Mira Olsen", "jo park", "Ben Adler", "Ruth Lang", "Tariq Aziz"],
        &["0151 2204", "0170 8891", "030 4410"],
    ),
    thing(
        "invoice",
        "invoices",
        Icon::Work,
        &[
            ("Customer", Shape::Line),
            ("Due on", Shape::Date),
            ("Paid", Shape::Check),
            ("Hours", Shape::Number { least: 1, most: 200 }),
        ],
        &["Roof repair", "consulting May", "Logo", "Translation", "Hosting"],
        &["Miller", "City library", "Bakery Ahn"],
    ),
    thing(
        "habit",
        "habits",
        Icon::Check,
        &[("Reason", Shape::Line), ("Since", Shape::Date), WEIGHT],
        &["Read ten pages", "no sugar", "Call someone", "Walk", "Early to bed"],
        &["to calm down", "for the heart", "because it is fun"],
    ),
    thing(
        "medicine",
        "medicines",
        Icon::LocalPharmacy,
        &[
            ("Dose", Shape::Line),
            ("Ends on", Shape::Date),
            ("With food", Shape::Check),
            ("Packs left", Shape::Number { least: 0, most: 20 }),
        ],
        &["Vitamin D", "ibuprofen", "Iron", "Nose spray"],
        &["one a day", "400 mg", "in the evening"],
    ),
    thing(
        "playlist",
        "playlists",
        Icon::MusicNote,
        &[("Mood", Shape::Line), ("Public", Shape::Check)],
        &["Morning", "for cooking", "Rain", "Deep work", "Party"],
        &["calm", "loud", "slow"],
    ),
    thing(
        "album",
        "albums",
        Icon::Image,
        &[("Place", Shape::Line), ("Taken on", Shape::Date)],
        &["Garden", "old town", "Family", "Screens", "Birds"],
        &["at home", "Porto", "the forest"],
    ),
    thing(
        "bookmark",
        "bookmarks",
        Icon::PushPin,
        &[
            ("Address", Shape::Line),
            ("Visited on", Shape::Date),
            ("Kind", Shape::Choice(Words(&[Word("Page"), Word("Film"), Word("Sound")]))),
        ],
        &["Weather", "train times", "Library", "Dictionary", "Radio"],
        &["weather.example", "rail.example", "books.example"],
    ),
    thing(
        "purchase",
        "purchases",
        Icon::ShoppingCart,
        &[("Shop", Shape::Line), DONE, WEIGHT, ("Pieces", Shape::Number { least: 1, most: 99 })],
        &["Milk", "light bulbs", "Paper", "Coffee", "Soap", "Rice"],
        &["market", "corner shop", "online"],
    ),
    thing(
        "chore",
        "chores",
        Icon::Home,
        &[("Room", Shape::Line), ("Done on", Shape::Date), DONE],
        &["Windows", "dishes", "Laundry", "Vacuum", "Bins"],
        &["kitchen", "bath", "all rooms"],
    ),
    thing(
        "bill",
        "bills",
        Icon::AccountBalance,
        &[("Amount", Shape::Line), ("Due on", Shape::Date), ("Paid", Shape::Check)],
        &["Rent", "electricity", "Phone", "Water", "Insurance"],
        &["640", "52.10", "19.99"],
    ),
    thing(
        "goal",
        "goals",
        Icon::Star,
        &[
            NOTE,
            ("Until", Shape::Date),
            WEIGHT,
            ("State", Shape::Choice(Words(&[Word("Open"), Word("Reached")]))),
        ],
        &["Marathon", "learn Dutch", "Save more", "Paint"],
        &["step by step", "with a friend"],
    ),
    thing(
        "pet",
        "pets",
        Icon::Pets,
        &[
            ("Kind", Shape::Line),
            ("Born on", Shape::Date),
            ("Chipped", Shape::Check),
            ("Sex", Shape::Choice(Words(&[Word("Female"), Word("Male")]))),
        ],
        &["Momo", "luna", "Rex", "Pip"],
        &["cat", "dog", "rabbit"],
    ),
    thing(
        "film",
        "films",
        Icon::Movie,
        &[
            ("Director", Shape::Line),
            ("Seen on", Shape::Date),
            ("Rating", Shape::Level),
            ("Minutes", Shape::Number { least: 1, most: 400 }),
        ],
        &["North", "the long way", "Ash", "Two Rooms", "Comet"],
        &["E. Novak", "P. Lind", "K. Ito"],
    ),
    thing(
        "tool",
        "tools",
        Icon::Build,
        &[("Shelf", Shape::Line), ("Lent", Shape::Check), ("Pieces", Shape::Number { least: 1, most: 40 })],
        &["Drill", "hand saw", "Ladder", "Pliers", "Level"],
        &["garage", "cellar", "box 2"],
    ),
    thing(
        "lesson",
        "lessons",
        Icon::School,
        &[
            ("Teacher", Shape::Line),
            ("Date", Shape::Date),
            DONE,
            ("Minutes", Shape::Number { least: 15, most: 180 }),
        ],
        &["Piano", "swimming", "Spanish", "Chess", "Drawing"],
        &["Ms Braun", "Mr Cho", "Noor"],
    ),
    thing(
        "word",
        "words",
        Icon::Book,
        &[
            ("Meaning", Shape::Line),
            ("Learned", Shape::Check),
            ("Gender", Shape::Choice(Words(&[Word("None"), Word("Female"), Word("Male")]))),
        ],
        &["Haus", "boom", "Fjord", "Kiosk", "Origami"],
        &["house", "tree", "inlet"],
    ),
    thing(
        "quote",
        "quotes",
        Icon::FormatQuote,
        &[("Source", Shape::Line), ("Language", Shape::Choice(Words(&[Word("English"), Word("Other")])))],
        &["Know thyself", "less is more", "Panta rhei", "So it goes"],
        &["Delphi", "a builder", "Heraclitus"],
    ),
    thing(
        "dream",
        "dreams",
        Icon::Bed,
        &[NOTE, ("Night of", Shape::Date), ("Mood", Shape::Choice(Words(&[Word("Calm"), Word("Wild")])))],
        &["Flying", "the old school", "Water", "Trains"],
        &["again", "without sound"],
    ),
    thing(
        "measurement",
        "measurements",
        Icon::BarChart,
        &[
            ("Value", Shape::Line),
            ("Taken on", Shape::Date),
            ("Time", Shape::Choice(Words(&[Word("Morning"), Word("Evening")]))),
        ],
        &["Weight", "blood pressure", "Pulse", "Waist"],
        &["71.5", "120/80", "62"],
    ),
    thing(
        "vehicle",
        "vehicles",
        Icon::DirectionsCar,
        &[
            ("Plate", Shape::Line),
            ("Inspected on", Shape::Date),
            ("Seats", Shape::Number { least: 1, most: 9 }),
        ],
        &["Van", "red bicycle", "Trailer", "Scooter"],
        &["B-MO 21", "none", "HH-K 8"],
    ),
    thing(
        "gift",
        "gifts",
        Icon::Redeem,
        &[("For", Shape::Line), ("Bought", Shape::Check), ("Price", Shape::Number { least: 1, most: 500 })],
        &["Scarf", "board game", "Tea", "Lamp"],
        &["Mira", "Dad", "Jo"],
    ),
    thing(
        "project",
        "projects",
        Icon::Folder,
        &[NOTE, ("Ends on", Shape::Date), WEIGHT, DONE],
        &["Kitchen shelf", "website", "Move", "Band", "Quilt"],
        &["ask for offers", "first draft", "on hold"],
    ),
    thing(
        "download",
        "downloads",
        Icon::Download,
        &[("From", Shape::Line), DONE],
        &["Manual", "wallpaper", "Ticket", "Map of the city"],
        &["maker.example", "art.example"],
    ),
];

/// Kinds of things to which others belong, with the nouns of those.
pub(crate) const OWNERS: [(Thing, &[&str]); 9] = [
    (
        thing(
            "cookbook",
            "cookbooks",
            Icon::Book,
            &[("Kitchen", Shape::Line)],
            &["Everyday", "from home", "Baking", "Guests"],
            &["quick", "Levantine", "with little"],
        ),
        &["recipe"],
    ),
    (
        thing(
            "room",
            "rooms",
            Icon::Home,
            &[("Floor", Shape::Line)],
            &["Kitchen", "study", "Hall", "Balcony"],
            &["ground floor", "first floor"],
        ),
        &["plant", "chore"],
    ),
    (
        thing(
            "shelf",
            "shelves",
            Icon::Storage,
            &[("Where", Shape::Line)],
            &["Upper shelf", "box 2", "Attic", "Workbench"],
            &["living room", "cellar"],
        ),
        &["book", "tool"],
    ),
    (
        thing(
            "circle",
            "circles",
            Icon::Person,
            &[("Since", Shape::Date), ("Occasion", Shape::Line)],
            &["Family", "choir", "Work", "Neighbours"],
            &["Tuesdays", "always"],
        ),
        &["contact", "gift"],
    ),
    (
        thing(
            "customer",
            "customers",
            Icon::Work,
            &[("Town", Shape::Line)],
            &["Bakery Ahn", "city library", "Miller & Sons"],
            &["Jena", "Basel", "Utrecht"],
        ),
        &["invoice", "project"],
    ),
    (
        thing(
            "programme",
            "programmes",
            Icon::DirectionsRun,
            &[("Goal", Shape::Line), ("Begins on", Shape::Date)],
            &["Spring", "back to form", "Ten kilometres"],
            &["three times a week", "twice a week"],
        ),
        &["workout", "habit"],
    ),
    (
        thing(
            "folder",
            "folders",
            Icon::Folder,
            &[("Purpose", Shape::Line)],
            &["Home", "travel", "To read", "Old"],
            &["for later", "shared with Mira"],
        ),
        &["bookmark", "download", "quote"],
    ),
    (
        thing(
            "account",
            "accounts",
            Icon::AccountBalance,
            &[("Bank", Shape::Line)],
            &["Household", "savings", "Cash"],
            &["Post bank", "none"],
        ),
        &["bill", "purchase"],
    ),
    (
        thing(
            "course",
            "courses",
            Icon::School,
            &[("School", Shape::Line), ("Begins on", Shape::Date)],
            &["Dutch for beginners", "music", "Evening school"],
            &["town hall", "online"],
        ),
        &["lesson", "word"],
    ),
];

/// Permissions that apps ask for.
pub(crate) const PERMISSIONS: [&str; 3] = [
    "android.permission.CAMERA",
    "android.permission.ACCESS_FINE_LOCATION",
    "android.permission.READ_CONTACTS",
];

/// The kinds of things that can be played.
pub(crate) const PLAYED: [&str; 3] = ["playlist", "film", "lesson"];

/// The units of converters.
pub(crate) const UNITS: [&str; 4] = ["Gram", "Ounce", "Pound", "Kilogram"];

/// Names that are written from right to left, or consist of more than letters.
pub(crate) const FOREIGN_NAMES: [&str; 3] = ["مرحبا بالعالم", "🎉 Party 🎈", "שלום 2"];
