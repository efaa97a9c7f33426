//! The bundled apps, each modelled on a real one, with its published bugs.
