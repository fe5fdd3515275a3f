//! What the hostile texts are made of.

/// What hands a text to a reader: nothing, a program, quotes, comments, and each language.
pub(crate) const CARRIERS: &[&str] = &[
    "echo $((",
    "let '",
    "[ ",
    "expr ",
    "just -f - <<'E'\n",
    "psql -c 'explain ",
    "",
    "echo ",
    "echo \"",
    "ls # ",
    "rm -rf ",
    "cd ",
    "x=",
    "cat > x <<'E'\n",
    "cat > x.sh <<'E'\n",
    "cat <<E | sh\n",
    "bash -c '",
    "eval \"",
    "find . ",
    "git commit -m '",
    "sed -i '",
    "awk '",
    "perl -e '",
    "perl <<'E'\n",
    "python3 -c '",
    "python3 <<'E'\n",
    "ruby <<'E'\n",
    "node <<'E'\n",
    "php <<'E'\n",
    "lua <<'E'\n",
    "tclsh <<'E'\n",
    "psql <<'E'\n",
    "mysql -e \"",
    "sqlite3 a.db '",
    "redis-cli <<'E'\n",
    "mongosh <<'E'\n",
    "pwsh -c '",
    "cmd /c '",
    "powershell -Command \"",
    "make -f - <<'E'\n",
    "ssh host '",
    "docker run a ",
    "kubectl apply -f - <<'E'\n",
    "curl ",
    "xargs ",
    "sudo ",
    "env ",
    "ed <<'E'\n",
    "vim -c '",
    "jq '",
    "tee x <<'E'\n",
    "crontab - <<'E'\n",
    "expect <<'E'\n",
    "gdb -ex '",
    "git apply <<'E'\n",
    "[[ ",
    "case ",
    "printf '",
    "export ",
    "alias a='",
    "trap '",
    "osascript -e '",
    "Rscript -e '",
    "emacs --eval '",
    "bc <<'E'\n",
    "aws ",
    "npm ",
    "tar ",
    "dd ",
    "echo a > ",
    "ls | ",
    "test ",
    "declare -A a=(",
];

/// Gives `$y` a text whose tree is large, though next to nothing in it runs.
const LONG_FUNCTION: &str =
    "x=': a;';x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;y=\"f(){ $x }\";";

/// Kinds with a name: what stands before, and what is repeated.
pub(crate) const GROWING: &[(&str, &str, &str)] = &[
    ("commands", "", "true;"),
    ("deletes", "", "rm -rf data;"),
    ("comments", "", "# x\n"),
    ("NUL bytes", "echo ", "\0"),
    ("substitutions that close", "echo ", "$(a)"),
    ("assignments", "", "x=1;"),
    ("variables", "", "$x "),
    ("heredocs", "", "a <<E\nb\nE\n"),
    ("heredocs without a body", "a ", "<<E "),
    ("braces", "echo ", "{a,b}"),
    ("an array", "a=(", "x "),
    ("redirections", "a ", ">a "),
    ("cases", "", "case x in x) a;; esac;"),
    ("padding before a delete", "rm -rf data #", " "),
    ("a value that doubles", "x=aaaaaaaa\n", "x=$x$x\n"),
    ("eval", "", "eval 'a';"),
    ("bash -c", "", "bash -c 'a';"),
    ("eval of a function that is never called", LONG_FUNCTION, "eval \"$y\";"),
    ("rounds of such an eval", LONG_FUNCTION, "for i in {1..90}; do for j in {1..90}; do eval \"$y\"; done; done;"),
    ("an array in a long text", "x='a ';x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;x=$x$x;", "declare -a z=\"($x \";"),
    ("directories", "", "cd a;"),
    ("directories put aside", "", "pushd a;"),
    ("wrappers", "", "sudo "),
    ("wrappers with values", "", "env a=b "),
    ("batches", "", "xargs "),
    ("branches", "", "if a; then x=$x$y; else y=$y$x; fi;"),
    ("python", "python3 -c '", "import os;os.system(\"a\");"),
    ("all characters", "", ALL),
    ("an argument of one word", "echo ", "x"),
    ("arguments", "echo ", "x "),
    ("braces without a close", "echo ", "{a,"),
    ("braces in braces", "echo ", "{a,{b,c},"),
    ("braces of ranges", "echo ", "{1..600}"),
    ("sets without a close", "echo ", "["),
    ("sets without a close in words", "", "echo a["),
    ("globs", "rm ", "*"),
    ("globs and letters", "rm ", "*a"),
    ("a comment of parameters", "ls # ", "${a:-"),
    ("a quoted heredoc of parameters", "cat > x <<'E'\n", "${a "),
    ("an exported value that grows", "", "export a=$a;"),
    ("a declared value that grows", "", "declare a=$a;"),
    ("an exported value that grows by a letter", "", "export a=x$a;"),
    ("exports of one name", "a=1;", "export a;"),
    ("read-only names", "", "readonly a=1;"),
    ("attributes", "", "declare -l a;"),
    ("attributes of a value", "", "declare -i a=1;"),
    ("tcl", "tclsh <<'E'\n", "[exec "),
    ("a path upwards", "rm -rf ", "../"),
    ("a path in itself", "rm -rf ", "./"),
    ("a path of names", "rm -rf ", "a/"),
    ("a path of names and upwards", "rm -rf /", "a/../"),
    ("a path of slashes", "rm -rf ", "/"),
    ("a chain", "a", "&& a "),
    ("alternatives", "a", "|| a "),
    ("arms of a case", "case x in ", "a) b;; "),
    ("functions that are called", "", "f(){ a; };f;"),
    ("aliases of one name", "", "alias a=b;"),
    ("back and forth", "", "pushd a;popd;"),
    ("home and back", "", "cd;cd -;"),
    ("links", "", "ln -s a b;"),
    ("moves", "", "mv a b;"),
    ("appended files", "", "echo a >> b;"),
    ("written files that run", "", "echo a > b;sh b;"),
    ("traps", "", "trap a EXIT;"),
    ("descriptors", "", "exec 3>a;"),
    ("input that is read", "", "read a <<< b;"),
    ("loops of one command", "", "for i in a b; do c; done;"),
    ("loops over a range", "", "for i in {1..99}; do c; done;"),
    ("dollars before blanks", "", "$x                                  "),
    ("brackets behind blanks", "", "                                  ("),
    ("PowerShell assignments", "", "$a = 1;"),
    ("PowerShell calls", "", "Write-Host (Get-Item a).b;"),
    ("PowerShell groups", "$a = ", "("),
    ("PowerShell blocks", "$a = 1;", "& {"),
    ("PowerShell tables", "$a = ", "@{a="),
    ("PowerShell sums", "$a = 1", " + 1"),
    ("PowerShell texts", "$a = \"", "$(a "),
    ("batch", "@echo off\r\n", "set a=%a%b\r\n"),
    ("batch blocks", "@echo off\r\n", "if exist a ("),
    ("batch values that double", "@echo off\r\nset a=xxxxxxxx\r\n", "set a=%a%%a%\r\n"),
    ("batch conditions turned round", "@echo off\r\nif ", "not "),
    ("batch loops", "@echo off\r\n", "for %a in (%a%a%a) do "),
    ("PowerShell values that double", "$a = 'xxxxxxxx';", "$a = $a + $a;"),
    ("PowerShell texts that double", "$a = 'xxxxxxxx';", "$a = \"$a$a\";"),
    ("PowerShell values that are repeated", "$a = 'xxxxxxxx';", "$a = $a * 999;"),
    ("PowerShell lists that double", "$a = 1,2;", "$a += $a;"),
    ("Python values that double", "python3 <<'E'\na='x'\n", "a=a+a\n"),
    ("Python values that are repeated", "python3 <<'E'\na='x'\n", "a=a*999\n"),
    ("Python lists that double", "python3 <<'E'\na=['x']\n", "a+=a\n"),
    ("Perl values that double", "perl -e '$a=\"x\";", "$a=$a.$a;"),
    ("Perl values that are repeated", "perl -e '$a=\"x\";", "$a=$a x 999;"),
    ("Ruby values that double", "ruby -e 'a=\"x\";", "a=a+a;"),
    ("Ruby texts that double", "ruby -e 'a=\"x\";", "a=\"#{a}#{a}\";"),
    ("JavaScript values that double", "node -e 'a=\"x\";", "a=a+a;"),
    ("JavaScript lists that double", "node -e 'a=[1];", "a=[...a,...a];"),
    ("JavaScript lists in lists", "node -e 'a=[1];", "a=[a];"),
    ("JavaScript lists of two lists", "node -e 'a=[1];", "a=[a,a];"),
    ("PHP branches without an end", "php -r '", "if($a):$b=1;"),
    ("Python values that are decided", "python3 -c 'a=", "b if c else "),
    ("JavaScript functions in functions", "node -e 'a=1;", "x(b=>{f(a);a=b;"),
    ("Ruby loops in loops", "ruby -e 'a=1;", "while x do f(a);a=2;"),
    ("JavaScript objects in objects", "node -e 'a=1;", "a={a:a};"),
    ("PowerShell lists in lists", "$a = 1;", "$a = @($a,$a);"),
    ("PowerShell tables in tables", "$a = 1;", "$a = @{a=$a};"),
    ("Tcl values that double", "tclsh <<'E'\nset a x\n", "set a $a$a\n"),
    ("texts that sed makes grow", "echo aaaaaaaa | sed '", "s/a/aa/g;"),
    ("lists that double", "a=(x y);", "a+=(\"${a[@]}\");"),
    ("padded numbers", "", "printf -v a %999999999d 1;"),
    ("long sequences", "", "a=$(seq 1 999999999);"),
    ("files that double", "", "cat a a > b;cat b b > a;"),
    ("pipes that grow", "echo aaaaaaaa", "|sed s/a/aaaa/g"),
    ("functions that call each other", "", "f(){ f;f; };f;"),
    ("aliases of aliases", "", "alias a='a a';a;"),
    ("traps in traps", "", "trap 'trap a EXIT' EXIT;"),
    ("perl", "perl -e '", "system(\"a\");"),
    ("ruby", "ruby -e '", "`a`;"),
    ("node", "node -e '", "require(\"fs\").rmSync(\"a\");"),
    ("awk", "awk '", "{system(\"a\")}"),
    ("sed", "sed '", "s/a/b/;"),
    ("SQL", "psql -c \"", "delete from a;"),
    ("SQL names without an end", "psql -c \"select ", "[a "),
    ("AppleScript", "osascript -e '", "`"),
    ("letters of options", "tar ", "0"),
    ("SQL in brackets", "psql -c \"select ", "(select "),
    ("a makefile", "make -f - <<'E'\n", "a:\n\tb\n"),
    ("makefile variables that grow", "make -f - <<'E'\n", "a:=$(a)$(a)b\n"),
    ("signs of arithmetic", "echo $((", "-"),
    ("fields of awk", "awk '", "$"),
    ("finds turned round", "find . ", "! "),
    ("finds in brackets", "find . ", "\\( "),
    ("explained SQL", "psql -c \"", "explain "),
    ("programs named by a pattern", "", "[a];"),
    ("finds", "find . ", "-name a -o "),
    ("xargs", "", "ls|xargs rm;"),
];

/// Every sort of character once.
const ALL: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABC[\\]^_`abc{|}~\t\n\u{1}\u{7f}é中";

/// What opens as often as it closes, so that what is nested is really there.
pub(crate) const NESTED: &[(&str, &str)] = &[
    ("$(", ")"),
    ("(", ")"),
    ("((", "))"),
    ("$((", "))"),
    ("((", ") )"),
    ("$((", ") )"),
    ("{ ", "; }"),
    ("${x:-", "}"),
    ("\"$(", ")\""),
    ("[[ ( ", " ) ]]"),
    ("if a; then ", "; fi;"),
    ("case x in a) ", ";; esac;"),
    ("<(", ")"),
    ("f() { ", "; };"),
    ("( ", " )"),
    ("\"${x:-", "}\""),
    ("${x:-'", "'}"),
    ("$[", "]"),
    ("a=(", ")"),
    ("@(", ")"),
    ("{a,", "}"),
    ("[", "]"),
    ("{", "}"),
];

/// Kinds in which no two pieces are alike: what stands before, and the piece with `{}` for its number.
pub(crate) const NUMBERED: &[(&str, &str, &str)] = &[
    ("numbered assignments", "", "a{}=1;"),
    ("numbered lists", "", "x+=({});"),
    ("numbered paths", "", "PATH=a{}:$PATH;"),
    ("numbered exports", "", "export a{}=1;"),
    ("numbered exports of values", "", "a{}=1;export a{};"),
    ("numbered read-only names", "", "readonly a{}=1;"),
    ("numbered attributes", "", "declare -i a{}=1;"),
    ("numbered locals", "f() { ", "local a{}=1;"),
    ("numbered functions", "", "f{}() { a; };"),
    ("numbered functions that are called", "", "f{}() { a; };f{};"),
    ("numbered aliases", "", "alias a{}=b;"),
    ("numbered directories", "", "cd a{};"),
    ("numbered directories put aside", "", "pushd a{};"),
    ("numbered deletes", "", "rm -rf a{};"),
    ("numbered arguments of a delete", "rm -rf ", "a{} "),
    ("numbered files", "", "echo a > b{};"),
    ("numbered redirections", "a ", "> b{} "),
    ("numbered scripts", "", "echo a > b{};sh b{};"),
    ("numbered links", "", "ln -s a{} b{};"),
    ("numbered moves", "", "mv a{} b{};"),
    ("numbered fresh files", "", "a{}=$(mktemp);rm $a{};"),
    ("numbered elements", "", "a[{}]=x;"),
    ("numbered keys", "declare -A a;", "a[k{}]=x;"),
    ("numbered elements of one list", "a=(", "[{}]=x "),
    ("numbered traps", "", "trap a{} EXIT;"),
    ("numbered descriptors", "", "exec {}>a;"),
    ("numbered heredocs", "", "cat <<A{}\nx\nA{}\n"),
    ("numbered branches", "", "if a; then b{}=1; fi;"),
    ("numbered cases", "case $x in ", "a{}) b=$b{};; "),
    ("numbered loops", "", "for i{} in a b; do c $i{}; done;"),
    ("numbered references", "", "declare -n a{}=a;"),
    ("numbered downloads", "", "curl -o a{} http://b;"),
    ("numbered PowerShell variables", "", "$a{} = 1;"),
    ("numbered batch variables", "@echo off\r\n", "set a{}=1\r\n"),
    ("numbered Python variables", "python3 <<'E'\n", "a{}=1\n"),
    ("numbered Python functions", "python3 <<'E'\n", "def f{}(): pass\nf{}()\n"),
    ("numbered Python targets", "python3 <<'E'\ndef f(x):\n y=(", "a{},"),
    ("numbered Python loops", "python3 <<'E'\n", "for a{} in ('x','y'): b=a{}\n"),
    ("numbered Python variables in a loop", "python3 <<'E'\nfor i in x:\n", " f(a{}+b)\n a{}=a{}+'x'\n b=a{}\n"),
    ("numbered Python members", "python3 <<'E'\nclass A:\n", " def f{}(self):\n  g(self.a)\n  self.a='x{}'\n"),
    ("numbered Python branches", "python3 <<'E'\na='x'\n", "if x: a='x{}'\nf(a)\n"),
    ("numbered JavaScript loops", "node -e \"", "for(const a{} of ['x','y']) "),
    ("numbered JavaScript loops in braces", "node -e \"", "for(const a{} of ['x','y']){b=a{};"),
    ("numbered Ruby loops", "ruby -e \"", "for a{} in ['x','y'] do b=a{};"),
    ("numbered makefile variables", "make -f - <<'E'\n", "a{}=1\n"),
    ("numbered makefile targets", "make -f - <<'E'\n", "a{}: b{}\n\tc\n"),
    ("numbered recipes", "just -f /dev/stdin a0 <<'E'\n", "a{}: b{}\n c\n"),
    ("numbered dollar quotes", "psql <<'E'\n", "$a{}$ "),
    ("numbered unset names", "", "unset a{};"),
    ("numbered commands", "", "a{};"),
    ("numbered options", "ls ", "--a{}=b "),
];

/// Makes something of a length.
pub(crate) type Maker<T> = fn(usize) -> T;

/// Kinds that are made in some other way.
pub(crate) const MADE: &[(&str, Maker<String>)] = &[
    ("many heredocs on a line", |bytes| documents(bytes, " <<A", "x\nA\n")),
    ("many stripped heredocs on a line", |bytes| documents(bytes, " <<-A", "x\nA\n")),
    ("many heredocs without an end", |bytes| documents(bytes, " <<A", "b\n")),
    ("heredocs in heredocs", |bytes| {
        let heads: String = (0..190).map(|level| format!("$(cat <<-D{level}\n")).collect();
        filled(format!("x={heads}"), "a ", String::new(), bytes)
    }),
    ("heredocs in heredocs, closed", |bytes| {
        let heads: String = (0..60).map(|level| format!("$(cat <<-D{level}\n")).collect();
        let tails: String = (0..60).rev().map(|level| format!("\nD{level}\n)")).collect();
        filled(format!("x={heads}"), "\t$a\n", tails, bytes)
    }),
    ("errors in substitutions", |bytes| filled("$(".repeat(100), ") ;; fi ", String::new(), bytes)),
    ("a continued word", |bytes| filled("a".to_owned(), "\\\nc", "b".to_owned(), bytes)),
    ("continued operators", |bytes| filled("a".to_owned(), "&\\\n&\\\n", "b".to_owned(), bytes)),
    ("braces around much", |bytes| filled("echo {a,".to_owned(), "b", "}".to_owned(), bytes)),
    ("braces around many", |bytes| filled("echo {a".to_owned(), ",b", "}".to_owned(), bytes)),
    ("a delete behind spaces", |bytes| filled("echo ok".to_owned(), " ", "; rm -rf data".to_owned(), bytes)),
    ("a value that doubles and is used", |bytes| filled("a=xxxxxxxx;".to_owned(), "a=$a$a;", "$a".to_owned(), bytes)),
    ("subscripts in arithmetic", |bytes| filled("((i=".to_owned(), "a[", "))".to_owned(), bytes)),
    ("subscripts in arithmetic, closed", |bytes| {
        let half = bytes.saturating_sub(8) / 3;
        format!("((i={}{}))", "a[".repeat(half), "]".repeat(half))
    }),
    ("subscripts in arithmetic before blanks", |bytes| {
        let third = bytes.saturating_sub(8) / 3;
        format!("((i={}]{}))", "a[".repeat(third), " ".repeat(third))
    }),
    ("subscripts in an expansion", |bytes| filled(": $((i=".to_owned(), "a[", "))".to_owned(), bytes)),
    ("subscripts in let", |bytes| filled("let 'i=".to_owned(), "a[", "'".to_owned(), bytes)),
    ("subscripts in an offset", |bytes| filled("x=a;: ${x:i=".to_owned(), "a[", "}".to_owned(), bytes)),
    ("subscripts in a loop", |bytes| filled("for ((i=0;i<".to_owned(), "a[", ";i++)); do ls; done".to_owned(), bytes)),
    ("a list that holds itself", |bytes| {
        filled("A=($x); ".to_owned(), "[ p ] && A[$i]=\"$y${A[*]}\"; ", "echo \"${A[@]}\"".to_owned(), bytes)
    }),
    ("lists that hold each other", |bytes| {
        let round =
            "case $1 in a) A=(\"${A[@]}\" \"${B[@]}\");; b) B=(\"${A[@]}\" $z);; c) A[$k]=1;; d) B=1;; e) A=2;; esac; ";
        filled("A=($x) B=($y); ".to_owned(), round, String::new(), bytes)
    }),
    ("a long value that is used often", |bytes| {
        filled(format!("a={};", "x".repeat(bytes / 2)), "b $a;", String::new(), bytes)
    }),
    ("a long value that is matched", |bytes| {
        filled(format!("a={};", "x".repeat(bytes / 2)), "b=${a%%*y};", String::new(), bytes)
    }),
    ("a long value that is replaced", |bytes| {
        filled(format!("a={};", "x".repeat(bytes / 2)), "b=${a//x*y/};", String::new(), bytes)
    }),
    ("a replacement as long as the text", |bytes| {
        format!("x={}; echo ${{x//a/{}}}", "a".repeat(bytes / 2 - 20), "b".repeat(bytes / 2 - 20))
    }),
    ("a set as long as the text", |bytes| {
        format!("x={}; echo ${{x//[{}]/}}", "a".repeat(bytes / 2 - 20), "b".repeat(bytes / 2 - 20))
    }),
    ("a long pattern for many fields", |bytes| {
        let fields = "'' ".repeat(bytes / 12);
        let pattern = "b".repeat(bytes - 3 * (bytes / 12) - 40);
        format!("a=({fields}); echo \"${{a[@]#{pattern}}}\"")
    }),
    ("a long replacement in many fields", |bytes| {
        let fields = "b ".repeat(bytes / 12);
        let long = "b".repeat(bytes - 2 * (bytes / 12) - 40);
        format!("set -- {fields}; echo \"${{@/b/{long}}}\"")
    }),
    ("many separators", |bytes| {
        format!("IFS={}; x={}; echo $x", "b".repeat(bytes / 2 - 20), "a".repeat(bytes / 2 - 20))
    }),
    ("functions in loops", |bytes| filled(String::new(), "until a; do h() { :; }; done\n", String::new(), bytes)),
    ("a long value for a search in rounds", |bytes| long_in_rounds("grep $x", bytes)),
    ("a long value for a signal in rounds", |bytes| long_in_rounds("pkill -f $x", bytes)),
    ("a tree copied into itself in rounds", |bytes| long_in_rounds("cp $x $x", bytes)),
    ("a long installation in rounds", |bytes| long_in_rounds("install -abc \"$x\" $x", bytes)),
    ("a long name of a task in rounds", |bytes| long_in_rounds("npm run $x", bytes)),
    ("a long link upwards in rounds", |bytes| {
        let long = "../".repeat(bytes.saturating_sub(90) / 3);
        format!("x={long}; for i in {{1..90}}; do for j in {{1..90}}; do ln -s a \"$x\"; done; done")
    }),
    ("many options in rounds", |bytes| {
        let long = "-ab --cd=e ".repeat(bytes.saturating_sub(100) / 11);
        format!("x='{long}'; for i in {{1..90}}; do for j in {{1..90}}; do kubectl delete $x; done; done")
    }),
    ("a long function that is called often", |bytes| {
        filled(format!("f() {{ {}}};", "a;".repeat(bytes / 4)), "f;", String::new(), bytes)
    }),
    ("a long directory", |bytes| filled(format!("cd {};", "x".repeat(bytes / 2)), "rm a;", String::new(), bytes)),
    ("a long text that is evaluated often", |bytes| {
        filled(format!("a='{}';", "b;".repeat(bytes / 4)), "eval \"$a\";", String::new(), bytes)
    }),
    ("JavaScript loops around many names", |bytes| in_loops("a0,", bytes)),
    ("JavaScript loops around many values", |bytes| in_loops("a0=b,", bytes)),
    ("JavaScript loops around many blocks", |bytes| in_loops("{a0=b", bytes)),
    ("JavaScript loops before many values", |bytes| {
        filled("node -e \"for(const a of ['x','y']) {b=a}".to_owned(), "{b=1,", "\"".to_owned(), bytes)
    }),
    ("a Python function around many names", |bytes| {
        filled("python3 -c \"def f(x):\n y=(".to_owned(), "a,", ")\nf(1)\nf(2)\"".to_owned(), bytes)
    }),
    ("a Python function around many targets", |bytes| {
        filled("python3 -c \"def f(x):\n ".to_owned(), "a,", "=x\nf(1)\nf(2)\"".to_owned(), bytes)
    }),
    ("Python functions that are called twice", |bytes| {
        filled("python3 -c \"".to_owned(), "def f(x): a=x\nf(1)\nf(2)\n", "\"".to_owned(), bytes)
    }),
    ("JavaScript functions in functions with calls", |bytes| within("node", NESTED_SCRIPT, bytes)),
    ("JavaScript callbacks in callbacks", |bytes| within("node", NESTED_CALLBACKS, bytes)),
    ("JavaScript lists that grow in callbacks", |bytes| within("node", GROWING_CALLBACKS, bytes)),
    ("JavaScript methods with functions", |bytes| within("node", NESTED_METHODS, bytes)),
    ("Python functions in functions with calls", |bytes| within("python3", NESTED_PYTHON, bytes)),
    ("Python comprehensions in lambdas", |bytes| within("python3", NESTED_LAMBDAS, bytes)),
    ("Ruby blocks in methods", |bytes| within("ruby", NESTED_RUBY, bytes)),
    ("Perl functions in functions with calls", |bytes| within("perl", NESTED_PERL, bytes)),
    ("Lua functions in functions with calls", |bytes| within("lua", NESTED_LUA, bytes)),
    ("PHP functions in functions with calls", |bytes| filled("php -r '".to_owned(), NESTED_PHP, "'".to_owned(), bytes)),
    ("many texts with functions in functions", |bytes| {
        filled(String::new(), &format!("node <<'E'\n{NESTED_SCRIPT}E\n"), String::new(), bytes)
    }),
    ("a loop around functions in functions", |bytes| {
        let before = "for i in {1..99}; do for j in a b c; do python3 <<'E'\n".to_owned();
        filled(before, NESTED_PYTHON, "E\ndone; done".to_owned(), bytes)
    }),
    ("many things to copy", |bytes| numbered("cp ", "d/", bytes)),
    ("many things to link", |bytes| numbered("ln -s ", "d/", bytes)),
    ("many things to add", |bytes| numbered("git add ", "", bytes)),
    ("many things to declare", |bytes| numbered("export ", "", bytes)),
    ("many things behind links", |bytes| {
        let links: String = (0..400.min(bytes / 64)).map(|number| format!("ln -s /srv/{number} l{number};")).collect();
        numbered(&format!("{links}mv "), "d/", bytes)
    }),
    ("letters of Latin 1", |bytes| {
        noise()
            .map(|mixed| char::from((mixed >> 32) as u8))
            .take(bytes * 2 / 3)
            .filter(|letter| *letter != '\0')
            .take(bytes / 2 + bytes / 8)
            .collect::<String>()
    }),
    ("noise of signs", |bytes| signs(bytes, b"$(){}[]<>|&;'\"`\\\n #=!@*ax ")),
    ("noise of quotes", |bytes| signs(bytes, b"'\"`\\\n a")),
    ("noise of dollars", |bytes| signs(bytes, b"${}[]()a:-#/%=. ")),
    ("noise of globs", |bytes| signs(bytes, b"*?[]!-^{},.~/a ")),
    ("noise of names", |bytes| signs(bytes, b"ab ;=$\n")),
];

const NESTED_SCRIPT: &str = "function f(a,b){ function g(c,d){ function h(e){ a=e; fs.rmSync('build/'+e); g(a,e) } \
    h(c); h(d+'x'); h('y') } g(a,'x'); g(b,a+b); g('../q',1) } f('a','b'); f('c d',2); f('../e',[1,'z']);\n";
const NESTED_CALLBACKS: &str = "['a','../b'].forEach(a => ['c d',a].map(b => ['e','f',b].map(c => { d=c; g(a,b+d) })));\n\
    const g = (a) => { ['x',a].map(e => g(e)) }; g('y'); g('z w');\n";
const GROWING_CALLBACKS: &str = "function g(c,d){ [a,c+'x','y'].map(e => { const h = (e) => { function k(b,c){ \
    a=[a,'y','p q']; } k([a,'y'],[a,'p q']); h(2,c); }; h(a); h([a,'y','p q']); }); } g([a,'y'],'y'); g(a,a);\n";
const NESTED_METHODS: &str = "class A{ f(a){ const g = (b) => { this.x=b; this.h(a+b) }; g('x'); g(a) } h(c){ \
    for (const d of ['y','../z',c]) { this.f(d); fs.rmSync('build/'+d) } } } new A().f('a'); new A().h('b c');\n";
const NESTED_PYTHON: &str = "def f(a,b='x'):\n def g(c,d='../q'):\n  @f\n  def h(e):\n   for i in [e,'y',c]:\n    os.system('echo '+i)\n  \
    h(c)\n  h(d+'x')\n g(a)\n g(b,a+b)\nf('a')\nf('c d','e')\nf(['x','y z'])\n";
const NESTED_LAMBDAS: &str = "f=lambda a: [[[g(a,b+c) for c in ['x','y z',b]] for b in ['u',a]] for d in ['s','../t']]\n\
    g=lambda a,b: [f(x) for x in [a,b,'w']]\nf('a')\nf('../b')\ng('c d',f)\n";
const NESTED_RUBY: &str = "def f(a,b='x'); [a,b,'y z'].each { |c| def g(d,e=1); ['../q',d].map do |h| system('echo '+h); f(h) end; \
    end; g(c); g(a,'x') }; end; k = lambda { |a| f(a) }; k.call('a'); f('b c'); f('../d','e')\n";
const NESTED_PERL: &str = "sub f { my ($a,$b)=@_; sub g { my ($c)=@_; for my $d ('x','../y',$c) { system('echo '.$d); f($d,$c); } } \
    g($a); g($b.'x'); map { g($_) } ('u','v w'); } f('a','b'); f('c d',1); f('../e');\n";
const NESTED_LUA: &str = "function f(a,b) local function g(c,d) for _,e in ipairs({'x','../y',c}) do os.execute('echo '..e) g(e,d) end end \
    g(a,b) g(b,'x') g('u v',a) end f('a','b') f('c d',1) f('../e',f)\n";
const NESTED_PHP: &str = "function f($a,$b=1){ function g($c,$d=2){ foreach ([\"x\",\"../y\",$c] as $e) { system(\"echo \".$e); g($e,$d); } } \
    g($a); g($b,\"u v\"); array_map(function($h) use ($a) { f($h,$a); }, [\"x\",$b]); } f(\"a\"); f(\"c d\",$x); f(\"../e\");\n";

/// A command in two loops with a value as long as the length lets it be.
fn long_in_rounds(command: &str, bytes: usize) -> String {
    let loops = format!("for i in {{1..90}}; do for j in {{1..90}}; do {command}; done; done");
    format!("x={}; {loops}", "a".repeat(bytes.saturating_sub(loops.len() + 4)))
}

/// A text of another language that a program reads.
fn within(program: &str, piece: &str, bytes: usize) -> String {
    filled(format!("{program} <<'E'\n"), piece, "E\n".to_owned(), bytes)
}

/// Bytes that are no text.
pub(crate) const RAW: &[(&str, Maker<Vec<u8>>)] = &[
    ("random bytes", |bytes| noise().map(|mixed| (mixed >> 32) as u8).take(bytes).collect()),
    ("bytes that are never text", |bytes| vec![0xff; bytes]),
];

/// A command with as many operands as the length lets in, each another one.
fn numbered(start: &str, end: &str, bytes: usize) -> String {
    let mut text = start.to_owned();
    for number in 0.. {
        let operand = format!("a{number} ");
        if text.len() + operand.len() + end.len() > bytes {
            break;
        }
        text.push_str(&operand);
    }
    text.push_str(&" ".repeat(bytes.saturating_sub(text.len() + end.len())));
    text + end
}

/// A command with as many heredocs as the length lets in, and their bodies.
fn documents(bytes: usize, head: &str, body: &str) -> String {
    let count = bytes.saturating_sub(8) / (head.len() + body.len()).max(1);
    format!("cat{}\n{}", head.repeat(count), body.repeat(count))
}

/// As many loops as are told apart, one in the other, around a piece that is repeated.
fn in_loops(piece: &str, bytes: usize) -> String {
    let loops: String = (0..200.min(bytes / 64)).map(|number| format!("for(const a{number} of ['x','y']) ")).collect();
    filled(format!("node -e \"{loops}{{"), piece, "}\"".to_owned(), bytes)
}

/// A beginning and an end with as much between them as the length lets in.
pub(crate) fn filled(before: String, piece: &str, after: String, bytes: usize) -> String {
    let count = bytes.saturating_sub(before.len() + after.len()) / piece.len().max(1);
    format!("{before}{}{after}", piece.repeat(count))
}

/// The same numbers each time, without any order that a reader could like or dislike.
fn noise() -> impl Iterator<Item = u64> {
    (0u64..).map(|index| {
        (index + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// Signs in no order.
fn signs(bytes: usize, of: &[u8]) -> String {
    let sign = |mixed: u64| of.get((mixed >> 40) as usize % of.len().max(1)).copied().unwrap_or(b' ');
    noise().map(|mixed| char::from(sign(mixed))).take(bytes).collect()
}
