//! The specification of a campaign: one document, or a person's own together with the one that comes with the app.

use std::sync::Arc;

use super::CampaignForm;
use crate::specs::{DocumentId, Documents, SpecDocument};
use taproof_spec::format::spec_version;
use taproof_spec::{Dmf, Spec};

/// The documents that a campaign runs the functions of.
#[derive(Clone, Default)]
pub struct ChosenSpec<'d> {
    /// In the order in which they are joined: where several have a function of one name, that of the last counts.
    pub documents: Vec<&'d SpecDocument>,
}

/// A choice of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecChoice {
    /// The document.
    pub document: DocumentId,
    /// Whether its functions run without those that come with the app.
    pub alone: bool,
    /// Its words in the list.
    pub words: String,
}

impl<'d> ChosenSpec<'d> {
    /// The name of the document; a person's own one says if those that come with Taproof run with it.
    pub fn name(&self) -> String {
        match self.documents.as_slice() {
            [_, own] => with_shipped(own),
            documents => documents.first().map_or_else(String::new, |only| only.name.clone()),
        }
    }

    /// The names with the version of what they hold.
    pub fn words(&self) -> String {
        let files = self.documents.iter().flat_map(|document| &document.files);
        let version = spec_version(files.filter(|file| !file.is_blank()).map(|file| &file.file));
        format!("{}, version {version}", self.name())
    }

    /// The ids of the documents in the order in which they are joined.
    pub fn ids(&self) -> Vec<DocumentId> {
        self.documents.iter().map(|document| document.id).collect()
    }

    /// The functions, as [`Spec::join`] leaves them.
    pub fn dmfs(&self) -> Vec<&'d Dmf> {
        let mut dmfs: Vec<&Dmf> = Vec::new();
        for document in &self.documents {
            let own = &document.spec.dmfs;
            dmfs.retain(|dmf| own.iter().all(|later| later.name != dmf.name));
            dmfs.extend(own);
        }
        dmfs
    }

    /// The documents as one specification.
    pub fn spec(&self) -> Arc<Spec> {
        if let [only] = self.documents.as_slice() {
            return Arc::clone(&only.spec);
        }
        let mut spec = Spec::default();
        self.documents.iter().for_each(|document| spec.join(Spec::clone(&document.spec)));
        Arc::new(spec)
    }

    /// Whether it has no function.
    pub fn is_empty(&self) -> bool {
        self.documents.iter().all(|document| document.spec.dmfs.is_empty())
    }
}

impl CampaignForm {
    /// Returns the specification of the form's app: the chosen document, else the person's own if it has a function, else
    /// the bundled one, else the app's first. One's own runs together with the bundled one, unless the person chose it
    /// alone. `None` if the app has none.
    pub fn spec<'d>(&self, documents: &'d Documents) -> Option<ChosenSpec<'d>> {
        let of_app = || documents.list.iter().filter(|document| document.app == self.target.app);
        let chosen = of_app().find(|document| Some(document.id) == self.document);
        let named = || of_app().find(|document| Some(&document.name) == self.document_name.as_ref());
        let own = || of_app().find(|document| !document.shipped && !document.spec.dmfs.is_empty());
        let shipped = || documents.shipped(&self.target.app);
        let shown = chosen.or_else(named).or_else(own).or_else(shipped).or_else(|| of_app().next())?;
        let has_any = |shipped: &&SpecDocument| !shipped.spec.dmfs.is_empty();
        let with = shipped().filter(has_any).filter(|_| !shown.shipped && !self.alone);
        Some(ChosenSpec { documents: with.into_iter().chain([shown]).collect() })
    }

    /// The choices of a specification.
    pub fn spec_choices(&self, documents: &Documents) -> Vec<SpecChoice> {
        let shipped = documents.shipped(&self.target.app).filter(|it| !it.spec.dmfs.is_empty());
        let mut choices = Vec::new();
        let mut add = |document: &SpecDocument, alone, words| {
            choices.push(SpecChoice { document: document.id, alone, words });
        };
        for document in documents.of_app(&self.target.app).filter(|document| !document.shipped) {
            let name = &document.name;
            match shipped {
                Some(_) => {
                    let both = format!("{}: yours and those that come with Taproof", with_shipped(document));
                    add(document, false, both);
                    add(document, true, format!("{name}: only yours"));
                }
                None => add(document, true, name.clone()),
            }
        }
        if let Some(shipped) = shipped {
            let only = if choices.is_empty() { "those" } else { "only those" };
            let words = format!("{}: {only} that come with Taproof", shipped.name);
            choices.push(SpecChoice { document: shipped.id, alone: true, words });
        }
        choices
    }

    /// Whether a choice is the one that the form has.
    pub fn has_chosen(&self, choice: &SpecChoice, chosen: &ChosenSpec<'_>) -> bool {
        chosen.documents.last().is_some_and(|shown| shown.id == choice.document)
            && choice.alone == (chosen.documents.len() == 1)
    }

    /// Changes the specification. All of its functions are switched on.
    pub fn choose_spec(&mut self, choice: &SpecChoice) {
        if self.document != Some(choice.document) || self.alone != choice.alone {
            self.off.clear();
        }
        (self.document, self.alone) = (Some(choice.document), choice.alone);
    }
}

fn with_shipped(own: &SpecDocument) -> String {
    format!("{} + Taproof\u{2019}s", own.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::Target;
    use taproof_engine::device::Build;
    use taproof_spec::DmfKind;
    use taproof_spec::format::DmfFile;

    fn add(documents: &mut Documents, id: u32, name: &str, dmfs: &[(&str, u32)]) {
        let dmf = |(name, weight): &(&str, u32)| Dmf {
            weight: *weight,
            ..Dmf::empty(*name, DmfKind::Create, "note")
        };
        let spec = Spec { dmfs: dmfs.iter().map(dmf).collect(), ..Spec::default() };
        let files = vec![(format!("{name}.json"), None, DmfFile::new(&spec).source().to_owned())];
        let mut document = SpecDocument::read(DocumentId(id), name, files).unwrap();
        document.app = "full".into();
        document.shipped = name == "shipped";
        documents.list.push(document);
    }

    fn form() -> CampaignForm {
        CampaignForm { target: Target::bundled("full", Build::Faulty), ..CampaignForm::default() }
    }

    #[test]
    fn ones_own_functions_run_together_with_the_shipped_ones() {
        let mut documents = Documents::default();
        add(&mut documents, 1, "shipped", &[("add note", 10), ("edit note", 10)]);
        add(&mut documents, 2, "empty", &[]);
        let mut form = form();
        let name = |form: &CampaignForm, documents: &Documents| form.spec(documents).unwrap().name();
        assert_eq!(name(&form, &documents), "shipped");
        add(&mut documents, 3, "mine", &[("add note", 1)]);
        add(&mut documents, 4, "other", &[("add", 1)]);
        let chosen = form.spec(&documents).unwrap();
        assert_eq!(
            (chosen.name().as_str(), chosen.ids()),
            ("mine + Taproof\u{2019}s", vec![DocumentId(1), DocumentId(3)])
        );
        let weights: Vec<_> = chosen.dmfs().iter().map(|dmf| (dmf.name.as_str(), dmf.weight)).collect();
        assert_eq!(weights, [("edit note", 10), ("add note", 1)], "one's own counts");
        assert_eq!(chosen.spec().dmfs, chosen.dmfs().into_iter().cloned().collect::<Vec<_>>());
        form.document_name = Some("other".into());
        assert_eq!(name(&form, &documents), "other + Taproof\u{2019}s", "chosen before a restart");
        form.alone = true;
        assert_eq!(name(&form, &documents), "other");
        form.choose_document(DocumentId(1));
        assert_eq!(name(&form, &documents), "shipped");
    }

    #[test]
    fn each_choice_is_the_one_that_it_makes() {
        let mut documents = Documents::default();
        add(&mut documents, 1, "shipped", &[("add note", 10)]);
        assert_eq!(form().spec_choices(&documents)[0].words, "shipped: those that come with Taproof");
        add(&mut documents, 2, "mine", &[("edit note", 1)]);
        let choices = form().spec_choices(&documents);
        let words: Vec<&str> = choices.iter().map(|choice| choice.words.as_str()).collect();
        assert_eq!(
            words,
            [
                "mine + Taproof\u{2019}s: yours and those that come with Taproof",
                "mine: only yours",
                "shipped: only those that come with Taproof"
            ]
        );
        let functions = |choice: &SpecChoice| {
            let mut form = form();
            form.choose_spec(choice);
            let chosen = form.spec(&documents).unwrap();
            let same: Vec<bool> = choices.iter().map(|choice| form.has_chosen(choice, &chosen)).collect();
            (same, chosen.dmfs().len())
        };
        assert_eq!(functions(&choices[0]), (vec![true, false, false], 2));
        assert_eq!(functions(&choices[1]), (vec![false, true, false], 1));
        assert_eq!(functions(&choices[2]), (vec![false, false, true], 1));
    }
}
