//! The apps of a bundled phone: those that ship with the program, and those added by its user.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::APPS;
use crate::{BugSet, Fonts, Manifest, Package, Phone};
use taproof_engine::device::{AppData, AppFacts, AppId, Device, DeviceError};

/// Where an app comes from.
pub trait AppSource: Sync {
    /// The static facts about the app.
    fn manifest(&'static self) -> &'static Manifest;

    /// Installs the app with these bugs switched on.
    fn install(&'static self, phone: &mut Phone, bugs: &BugSet);
}

/// Apps that are made when somebody asks for them by name. [`Apps::made_by`] adds them to a phone's apps.
pub trait AppMaker: fmt::Debug + Send + Sync {
    /// The app with this name or package; `None` if it makes none of that name. An app is made once, however often it is
    /// asked for.
    fn find(&self, name: &str) -> Option<&'static BundledApp>;

    /// The names of the apps that lists show.
    fn listed(&self) -> Vec<&'static str>;

    /// How the names of the others are formed, for lists of what can be chosen.
    fn names(&self) -> &'static str;
}

/// An app that is a type.
struct OfType<A>(PhantomData<fn() -> A>);

impl<A: Package> AppSource for OfType<A> {
    fn manifest(&'static self) -> &'static Manifest {
        A::manifest()
    }

    fn install(&'static self, phone: &mut Phone, bugs: &BugSet) {
        phone.install::<A>(bugs);
    }
}

/// An app for the bundled phone, with its specification files.
#[derive(Clone, Copy)]
pub struct BundledApp {
    source: &'static dyn AppSource,
    specs: &'static [ShippedSpec],
}

/// A specification file of an app. It is embedded in the program, so it is available wherever the program is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedSpec {
    /// The path in lists and reports, such as `files/dmf_files.json`.
    pub path: &'static str,
    /// The contents, in PBFDroid's JSON.
    pub text: &'static str,
}

impl BundledApp {
    /// An app without specification files.
    pub const fn of<A: Package>() -> Self {
        BundledApp { source: const { &OfType::<A>(PhantomData) }, specs: &[] }
    }

    /// An app that comes from elsewhere, without specification files.
    pub const fn from_source(source: &'static dyn AppSource) -> Self {
        BundledApp { source, specs: &[] }
    }

    /// Adds specification files. Commands and the window use them if no others are given.
    #[must_use]
    pub const fn specs(self, specs: &'static [ShippedSpec]) -> Self {
        BundledApp { specs, ..self }
    }

    /// The static facts about the app.
    pub fn manifest(&self) -> &'static Manifest {
        self.source.manifest()
    }

    /// The specification files of the app.
    pub fn spec_files(&self) -> &'static [ShippedSpec] {
        self.specs
    }

    /// The app's name on the command line, which is the last part of the package: `files` for `org.taproof.files`.
    pub fn short_name(&self) -> &'static str {
        let package = self.manifest().package;
        package.rsplit('.').next().unwrap_or(package)
    }

    /// Whether `name` is the app's package or its short name, the latter regardless of case.
    pub fn is_called(&self, name: &str) -> bool {
        self.manifest().package == name || self.short_name().eq_ignore_ascii_case(name)
    }

    /// Installs the app with these bugs switched on.
    pub fn install(&self, phone: &mut Phone, bugs: &BugSet) {
        self.source.install(phone, bugs);
    }

    fn facts(&self) -> AppFacts {
        let manifest = self.manifest();
        AppFacts {
            package: manifest.package.to_owned(),
            bugs: manifest.bugs.iter().map(|bug| bug.id.to_owned()).collect(),
        }
    }
}

impl fmt::Debug for BundledApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BundledApp({})", self.manifest().package)
    }
}

/// The apps of bundled phones. By default those that ship with the program; [`Apps::with`] adds further ones, and
/// [`Apps::made_by`] those that are made when they are asked for. Cheap to clone.
///
/// # Examples
///
/// ```
/// use taproof_phone::Apps;
///
/// let apps = Apps::default();
/// assert_eq!(apps.find("notes").map(|app| app.manifest().package), Some("org.taproof.notes"));
///
/// // A package and a short name stand for one app.
/// let notes = *apps.find("notes").unwrap();
/// let twice = Apps::with([notes]).unwrap_err();
/// assert_eq!(twice.to_string(), "two apps have the package org.taproof.notes; a phone has each app once");
/// ```
#[derive(Clone, Debug)]
pub struct Apps {
    known: Arc<[BundledApp]>,
    maker: Option<Arc<dyn AppMaker>>,
}

/// Two apps of a set have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppTwice {
    /// The apps have the same package.
    #[error("two apps have the package {package}; a phone has each app once")]
    Package {
        /// The package of both apps.
        package: &'static str,
    },
    /// The packages differ, but their last parts are equal.
    #[error(
        "{one} and {other} are both called {name:?} by commands; give one of them a package with another last part"
    )]
    Name {
        /// The short name of both apps.
        name: &'static str,
        /// The package of the first app.
        one: &'static str,
        /// The package of the second app.
        other: &'static str,
    },
}

impl Default for Apps {
    fn default() -> Self {
        Apps::of(APPS.into())
    }
}

impl Apps {
    /// The apps that ship with the program, followed by these.
    ///
    /// # Errors
    ///
    /// If two of the apps have the same package or the same short name.
    pub fn with(own: impl IntoIterator<Item = BundledApp>) -> Result<Apps, AppTwice> {
        let mut apps = APPS.to_vec();
        for app in own {
            let (package, name) = (app.manifest().package, app.short_name());
            if let Some(same) = apps.iter().find(|known| known.is_called(package) || known.is_called(name)) {
                let one = same.manifest().package;
                return Err(match one == package {
                    true => AppTwice::Package { package },
                    false => AppTwice::Name { name, one, other: package },
                });
            }
            apps.push(app);
        }
        Ok(Apps::of(apps.into()))
    }

    /// These apps and one more, the last in the launcher; the same if they contain it already.
    #[must_use]
    pub fn also(&self, app: BundledApp) -> Apps {
        let package = app.manifest().package;
        let new = self.known.iter().all(|known| known.manifest().package != package).then_some(app);
        Apps { known: self.known.iter().copied().chain(new).collect(), maker: self.maker.clone() }
    }

    /// These apps, and those that the maker makes under names that none of these has. A phone has one of them only if it
    /// is asked for.
    #[must_use]
    pub fn made_by(self, maker: Arc<dyn AppMaker>) -> Apps {
        Apps { maker: Some(maker), ..self }
    }

    fn of(known: Arc<[BundledApp]>) -> Apps {
        Apps { known, maker: None }
    }

    /// All apps that every phone has, in the order of the launcher.
    pub fn all(&self) -> &[BundledApp] {
        &self.known
    }

    /// Returns the app with this package or short name, or `None` if there is none.
    pub fn find(&self, name: &str) -> Option<&BundledApp> {
        let known = self.known.iter().find(|app| app.is_called(name));
        known.or_else(|| self.maker.as_ref()?.find(name))
    }

    /// The apps that lists show of those that are made when they are asked for, unless an app of the same name was added.
    pub fn made(&self) -> impl Iterator<Item = &BundledApp> {
        let added = |name: &&str| self.known.iter().any(|app| app.is_called(name));
        let listed = self.maker.iter().flat_map(|maker| maker.listed());
        listed.filter(move |name| !added(name)).filter_map(|name| self.find(name))
    }

    /// How the names of further apps are formed; `None` if there are no others.
    pub fn names_of_others(&self) -> Option<&'static str> {
        self.maker.as_ref().map(|maker| maker.names())
    }

    /// The label of the app with this package, or the package itself if there is no such app.
    pub fn label<'a>(&self, package: &'a str) -> &'a str {
        self.find(package).map_or(package, |app| app.manifest().label)
    }

    /// The packages and bugs of the apps, for checking plans: of all, and of the one with this package or short name.
    pub fn facts(&self, name: &str) -> Vec<AppFacts> {
        self.beside_all(name).map(BundledApp::facts).collect()
    }

    /// All apps, and the one with this package or short name if it is made when it is asked for.
    fn beside_all(&self, name: &str) -> impl Iterator<Item = &BundledApp> {
        let named =
            self.find(name).filter(|named| self.known.iter().all(|app| !app.is_called(named.short_name())));
        self.known.iter().chain(named)
    }

    /// Creates a phone with all of the apps, of which the one with this package has these bugs and the others have
    /// none. The launcher is in front.
    pub fn phone(&self, fonts: &Arc<Fonts>, package: &str, bugs: &BugSet) -> Phone {
        let mut phone = Phone::new(Arc::clone(fonts));
        let sound = BugSet::none();
        for app in self.beside_all(package) {
            let chosen = app.manifest().package == package;
            app.install(&mut phone, if chosen { bugs } else { &sound });
        }
        phone
    }

    /// Creates a phone with all of the apps, and launches the one with this package or short name with these bugs.
    ///
    /// # Errors
    ///
    /// If there is no such app.
    pub fn open(&self, name: &str, bugs: &BugSet) -> Result<Phone, DeviceError> {
        let package = self.find(name).map_or(name, |app| app.manifest().package);
        let mut phone = self.phone(&Arc::new(Fonts::new()), package, bugs);
        phone.launch(&AppId(package.to_owned()), AppData::Clear)?;
        Ok(phone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{App, Env, Surface, System, View};
    use taproof_screen::XPath;

    /// An app with one page. `PLACE` selects its package.
    #[derive(Clone)]
    struct Page<const PLACE: usize>;

    static MANIFESTS: [Manifest; 3] = [
        Manifest::new("org.example.own", "Own"),
        Manifest::new("org.other.Files", "Own"),
        Manifest::new("com.example.own", "Own"),
    ];

    impl<const PLACE: usize> Package for Page<PLACE> {
        fn manifest() -> &'static Manifest {
            &MANIFESTS[PLACE]
        }

        fn install(_bugs: &BugSet) -> Self {
            Page
        }
    }

    impl<const PLACE: usize> App for Page<PLACE> {
        type Page = ();
        type Msg = ();
        fn start(&mut self) {}
        fn surface(&self, _page: &()) -> Surface {
            Surface::Activity("MainActivity")
        }
        fn view(&self, _page: &(), _env: &Env<'_>) -> View<()> {
            View::text("hello")
        }
        fn update(&mut self, _page: &mut (), _msg: (), _sys: &mut System<Self>) {}
    }

    #[test]
    fn an_app_of_ones_own_is_installed_beside_those_that_ship() {
        let apps = Apps::with([BundledApp::of::<Page<0>>()]).unwrap();
        let mut phone = apps.open("own", &BugSet::none()).unwrap();
        let hello = XPath::parse("//*[@package='org.example.own'][@text='hello']").unwrap();
        assert_eq!(hello.select(&phone.observe().unwrap().layout).len(), 1);
        assert_eq!(phone.installed().count(), APPS.len() + 1);
        assert_eq!(apps.label("org.example.own"), "Own");
        let unknown = apps.open("nope", &BugSet::none()).err().unwrap();
        assert!(unknown.to_string().contains("org.example.own"), "{unknown}");
    }

    #[test]
    fn apps_that_cannot_be_told_apart_are_refused() {
        let refused = |own: &[BundledApp]| Apps::with(own.iter().copied()).unwrap_err().to_string();
        let own = BundledApp::of::<Page<0>>();
        assert!(refused(&[own, own]).contains("two apps have the package org.example.own"));
        let clash = refused(&[BundledApp::of::<Page<1>>()]);
        assert!(clash.contains("org.taproof.files and org.other.Files are both called \"Files\""), "{clash}");
        assert!(refused(&[own, BundledApp::of::<Page<2>>()]).contains("com.example.own"));
    }
}
