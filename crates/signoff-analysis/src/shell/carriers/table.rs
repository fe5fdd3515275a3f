//! The tools that run files of the project by their names.

use crate::words::Words;

/// A tool that runs files of the project by their names.
pub(super) struct Carrier {
    pub(super) programs: &'static [&'static str],
    /// One of these words must be there; none if the tool always does it.
    pub(super) verbs: &'static [&'static str],
    /// Beginnings and ends of the names of the files that it runs.
    pub(super) files: &'static [(&'static str, &'static str)],
}

/// Tools with the files whose content they run as code.
pub(super) static CARRIERS: &[Carrier] = &[
    Carrier {
        programs: &["pip", "pip3", "pipx", "uv", "poetry", "pdm", "hatch", "easy_install", "rye", "build"],
        verbs: &["install", "wheel", "develop", "build", "sync", "download", "add"],
        files: &[("setup.py", ""), ("hatch_build.py", ""), ("build.py", "")],
    },
    Carrier {
        programs: &["pytest", "py.test", "tox", "nox", "ward", "nose2", "nosetests", "unittest", "trial"],
        verbs: &[],
        files: &[("conftest.py", ""), ("test_", ".py"), ("", "_test.py"), ("noxfile.py", "")],
    },
    Carrier {
        programs: &["cargo"],
        verbs: &["build", "b", "run", "r", "test", "t", "check", "c", "bench", "clippy", "install", "doc", "nextest"],
        files: &[("build.rs", "")],
    },
    Carrier { programs: &["cargo"], verbs: &["run", "r", "test", "t", "bench", "nextest"], files: &[("", ".rs")] },
    Carrier { programs: &["go"], verbs: &["run", "generate"], files: &[("", ".go")] },
    Carrier { programs: &["go"], verbs: &["test"], files: &[("", "_test.go")] },
    Carrier {
        programs: &["jest", "vitest", "mocha", "ava", "jasmine", "tap", "cypress", "playwright", "karma", "bun"],
        verbs: &[],
        files: &[
            ("", ".test.js"),
            ("", ".test.ts"),
            ("", ".spec.js"),
            ("", ".spec.ts"),
            ("", ".test.mjs"),
            ("", ".test.tsx"),
            ("jest.config.", ""),
            ("jest.setup.", ""),
            ("vitest.config.", ""),
            (".mocharc.", "js"),
            ("playwright.config.", ""),
        ],
    },
    Carrier {
        programs: &[
            "vite",
            "webpack",
            "rollup",
            "eslint",
            "next",
            "nuxt",
            "astro",
            "gulp",
            "grunt",
            "esbuild",
            "parcel",
            "prettier",
            "tailwindcss",
            "postcss",
        ],
        verbs: &[],
        files: &[
            ("vite.config.", ""),
            ("webpack.config.", ""),
            ("rollup.config.", ""),
            ("eslint.config.", ""),
            (".eslintrc.", "js"),
            ("next.config.", ""),
            ("nuxt.config.", ""),
            ("astro.config.", ""),
            ("gulpfile.", ""),
            ("Gruntfile.", ""),
            ("prettier.config.", ""),
            ("tailwind.config.", ""),
            ("postcss.config.", ""),
        ],
    },
    Carrier { programs: &["npm", "pnpm", "yarn"], verbs: &[], files: &[("binding.gyp", ""), (".pnpmfile.cjs", "")] },
    Carrier { programs: &["rake"], verbs: &[], files: &[("Rakefile", "")] },
    Carrier { programs: &["bundle", "bundler", "gem"], verbs: &[], files: &[("Gemfile", ""), ("", ".gemspec")] },
    Carrier { programs: &["rspec"], verbs: &[], files: &[("", "_spec.rb"), ("spec_helper.rb", "")] },
    Carrier { programs: &["gradle", "gradlew"], verbs: &[], files: &[("build.gradle", ""), ("settings.gradle", "")] },
    Carrier { programs: &["cmake", "ctest"], verbs: &[], files: &[("CMakeLists.txt", "")] },
    Carrier { programs: &["scons"], verbs: &[], files: &[("SConstruct", "")] },
    Carrier { programs: &["waf"], verbs: &[], files: &[("wscript", "")] },
    Carrier { programs: &["invoke", "inv", "fab"], verbs: &[], files: &[("tasks.py", ""), ("fabfile.py", "")] },
    Carrier {
        programs: &["git"],
        verbs: &["commit", "merge", "rebase"],
        files: &[("pre-commit", ""), ("commit-msg", ""), ("prepare-commit-msg", ""), ("post-commit", "")],
    },
    Carrier { programs: &["git"], verbs: &["push"], files: &[("pre-push", "")] },
    Carrier { programs: &["git"], verbs: &["checkout", "switch", "clone"], files: &[("post-checkout", "")] },
    Carrier { programs: &["git"], verbs: &["merge", "pull"], files: &[("post-merge", "")] },
    Carrier { programs: &["direnv"], verbs: &["allow", "exec", "reload"], files: &[(".envrc", "")] },
    Carrier { programs: &["configure"], verbs: &[], files: &[("configure", "")] },
];

/// Every program of the table, to tell at once that one is not in it.
pub(super) static CARRYING: Words<256> = Words::new(
    "astro ava build bun bundle bundler cargo cmake configure ctest cypress direnv easy_install esbuild \
     eslint fab gem git go gradle gradlew grunt gulp hatch inv invoke jasmine jest \
     karma mocha next nose2 nosetests nox npm nuxt parcel pdm pip pip3 pipx playwright \
     pnpm poetry postcss prettier py.test pytest rake rollup rspec rye scons tailwindcss tap tox \
     trial unittest uv vite vitest waf ward webpack yarn",
);

/// Tools with the files that tell them what to run or to fetch, or that they may come to run in some other way. What
/// the text has put there is read elsewhere; what another machine has put there, nobody has read.
pub(super) static OBEYING: &[Carrier] = &[
    Carrier {
        programs: &["npm", "pnpm", "yarn", "bun", "npx", "jest", "vitest", "mocha", "vite", "webpack", "next"],
        verbs: &[],
        files: &[
            ("package.json", ""),
            ("package-lock.json", ""),
            ("pnpm-lock.yaml", ""),
            ("yarn.lock", ""),
            (".npmrc", ""),
            (".yarnrc.yml", ""),
            ("", ".js"),
            ("", ".mjs"),
            ("", ".cjs"),
            ("", ".ts"),
            ("", ".tsx"),
            ("", ".jsx"),
        ],
    },
    Carrier {
        programs: &["pip", "pip3", "pipx", "uv", "poetry", "pdm", "hatch", "rye", "conda", "mamba", "build"],
        verbs: &["install", "wheel", "develop", "build", "sync", "download", "add", "run", "create", "update"],
        files: &[
            ("requirements", ".txt"),
            ("constraints", ".txt"),
            ("pyproject.toml", ""),
            ("setup.cfg", ""),
            ("uv.lock", ""),
            ("poetry.lock", ""),
            ("environment.yml", ""),
            ("environment.yaml", ""),
        ],
    },
    Carrier {
        programs: &[
            "pytest",
            "py.test",
            "tox",
            "nox",
            "ward",
            "nose2",
            "nosetests",
            "unittest",
            "trial",
            "flask",
            "uvicorn",
            "gunicorn",
            "hypercorn",
            "celery",
            "streamlit",
            "coverage",
            "sphinx-build",
            "mkdocs",
            "django-admin",
            "manage.py",
            "pylint",
            "scrapy",
            "behave",
            "locust",
            "fastapi",
        ],
        verbs: &[],
        files: &[("", ".py"), ("tox.ini", ""), ("pytest.ini", ""), ("setup.cfg", "")],
    },
    Carrier {
        programs: &["cargo"],
        verbs: &["build", "b", "run", "r", "test", "t", "check", "c", "bench", "clippy", "install", "doc", "nextest"],
        files: &[("", ".rs"), ("Cargo.toml", ""), ("config.toml", "")],
    },
    Carrier { programs: &["go"], verbs: &["run", "generate", "test"], files: &[("", ".go"), ("go.mod", "")] },
    Carrier {
        programs: &["bundle", "bundler", "rake", "rspec", "rails", "gem", "jekyll"],
        verbs: &[],
        files: &[("", ".rb"), ("Gemfile", ""), ("Gemfile.lock", ""), ("Rakefile", ""), ("", ".gemspec")],
    },
    Carrier {
        programs: &["docker", "docker-compose", "podman", "podman-compose", "nerdctl"],
        verbs: &["up", "run", "build", "create", "start", "buildx"],
        files: &[
            ("docker-compose", ".yml"),
            ("docker-compose", ".yaml"),
            ("compose", ".yml"),
            ("compose", ".yaml"),
            ("Dockerfile", ""),
            ("Containerfile", ""),
        ],
    },
    Carrier {
        programs: &["mvn", "mvnw", "gradle", "gradlew", "sbt", "ant", "bazel", "lein"],
        verbs: &[],
        files: &[
            ("pom.xml", ""),
            ("build.xml", ""),
            ("", ".gradle"),
            ("", ".kts"),
            ("", ".java"),
            ("", ".kt"),
            ("", ".scala"),
            ("build.sbt", ""),
            ("BUILD", ""),
        ],
    },
    Carrier {
        programs: &["composer", "artisan", "phpunit", "pest"],
        verbs: &[],
        files: &[("composer.json", ""), ("", ".php")],
    },
    Carrier {
        programs: &["make", "gmake", "ninja", "cmake", "ctest", "meson", "just", "task", "configure"],
        verbs: &[],
        files: &[
            ("", ".c"),
            ("", ".cc"),
            ("", ".cpp"),
            ("", ".h"),
            ("", ".sh"),
            ("", ".mk"),
            ("", ".cmake"),
            ("", ".py"),
            ("CMakeLists.txt", ""),
        ],
    },
    Carrier {
        programs: &["pre-commit", "prek"],
        verbs: &["run", "install", "try-repo"],
        files: &[(".pre-commit-config.yaml", "")],
    },
    Carrier {
        programs: &["ansible-playbook", "ansible"],
        verbs: &[],
        files: &[("", ".yml"), ("", ".yaml"), ("", ".cfg")],
    },
    Carrier {
        programs: &["dotnet"],
        verbs: &["run", "build", "test", "restore"],
        files: &[("", ".cs"), ("", ".csproj"), ("", ".props")],
    },
    Carrier {
        programs: &["jupyter", "papermill", "voila", "jupytext"],
        verbs: &[],
        files: &[("", ".ipynb"), ("", ".py")],
    },
    Carrier { programs: &["vagrant"], verbs: &["up", "provision", "reload"], files: &[("Vagrantfile", "")] },
    Carrier {
        programs: &["nix", "nix-build", "nix-shell", "nixos-rebuild", "home-manager"],
        verbs: &[],
        files: &[("", ".nix"), ("flake.lock", "")],
    },
    Carrier { programs: &["deno"], verbs: &[], files: &[("deno.json", ""), ("deno.jsonc", "")] },
    Carrier { programs: &["foreman", "overmind", "honcho", "hivemind"], verbs: &[], files: &[("Procfile", "")] },
    Carrier { programs: &["meson", "muon"], verbs: &[], files: &[("meson.build", ""), ("meson_options.txt", "")] },
    Carrier {
        programs: &["tilt", "earthly", "dagger", "skaffold"],
        verbs: &[],
        files: &[("Tiltfile", ""), ("Earthfile", ""), ("skaffold.yaml", "")],
    },
    Carrier { programs: &["mix", "iex", "elixir"], verbs: &[], files: &[("", ".exs"), ("", ".ex")] },
    Carrier { programs: &["swift"], verbs: &["build", "run", "test"], files: &[("", ".swift")] },
];

/// Every program of that table, to tell at once that one is not in it.
pub(super) static OBEDIENT: Words<256> = Words::new(
    "ansible ansible-playbook ant artisan bazel behave build bun bundle bundler cargo celery cmake \
     composer conda configure coverage ctest dagger deno django-admin docker docker-compose dotnet \
     earthly elixir fastapi flask foreman gem gmake go gradle gradlew gunicorn hatch hivemind \
     home-manager honcho hypercorn iex jekyll jest jupyter jupytext just lein locust make mamba manage.py \
     meson mix mkdocs mocha muon mvn mvnw nerdctl next ninja nix nix-build nix-shell nixos-rebuild \
     nose2 nosetests nox npm npx overmind papermill pdm pest phpunit pip pip3 pipx pnpm podman \
     podman-compose poetry pre-commit prek py.test pylint pytest rails rake rspec rye sbt scrapy skaffold \
     sphinx-build streamlit swift task tilt tox trial unittest uv uvicorn vagrant vite vitest voila \
     ward webpack yarn",
);

/// Tools that run the files which their command line names, or the modules.
pub(super) static NAMING: Words<128> = Words::new(
    "accelerate bokeh celery chainlit coverage daphne deepspeed fastapi flask forever gradio gunicorn hypercorn ipython3 \
     jupyter k6 kernprof locust manim marimo memray mprof nodemon panel papermill pm2 py-spy pyinstrument scalene \
     streamlit torchrun uvicorn vite-node viztracer voila waitress-serve",
);
