//! Tests: what is made of the entries of a list, and names that are no paths.

use signoff_model::Verdict;

use crate::testing::check_all;

fn python(code: &str) -> String {
    format!("python3 -c \"\nimport os,shutil,glob,pathlib\n{code}\n\"")
}

fn node(code: &str) -> String {
    format!("node -e \"const fs=require('fs'),path=require('path');{code}\"")
}

fn in_quotes(program: &str, code: &str) -> String {
    format!("{program} '{code}'")
}

#[test]
fn a_name_in_a_directory_is_no_path() {
    check_all(
        Verdict::Ask,
        &[
            python("for f in os.listdir('build'):\n    shutil.rmtree(f)"),
            python("for f in os.listdir('/tmp'):\n    shutil.rmtree(f)"),
            python("for f in sorted(os.listdir('build')):\n    os.remove(f)"),
            python("[os.remove(f) for f in os.listdir('build')]"),
            python("for f in os.listdir('build'):\n    pathlib.Path(f).unlink()"),
            python("for f in os.listdir('build'):\n    os.rename(f, '/tmp/x')"),
            python("for f in os.scandir('build'):\n    os.remove(f.name)"),
            python("for d,_,fs in os.walk('build'):\n    for f in fs:\n        os.remove(f)"),
            python("for f in pathlib.Path('build').iterdir():\n    os.remove(f.name)"),
            python("for f in glob.glob('build/*'):\n    os.remove(os.path.basename(f))"),
            python("for f in glob.glob('*.o', root_dir='build'):\n    shutil.rmtree(f)"),
            node("for (const f of fs.readdirSync('build')) fs.rmSync(f,{recursive:true})"),
            node("fs.readdirSync('build').forEach(f => fs.rmSync(f,{recursive:true}))"),
            node("fs.readdirSync('build').filter(f=>f).forEach(f => fs.unlinkSync(f))"),
            node("fs.readdirSync('build').map(f=>f+'x').forEach(f => fs.unlinkSync(f))"),
            in_quotes("ruby -e", "Dir.children(\"build\").each { |f| File.delete(f) }"),
            in_quotes("ruby -e", "Dir.entries(\"build\").each { |f| FileUtils.rm_rf(f) }"),
            in_quotes("ruby -e", "Dir.each_child(\"build\") { |f| FileUtils.rm_rf(f) }"),
            in_quotes("ruby -e", "Dir.glob(\"*\", base: \"build\").each { |f| FileUtils.rm_rf(f) }"),
            in_quotes("perl -e", "opendir(D,\"build\"); for (readdir D) { unlink $_ }"),
            in_quotes("php -r", "foreach (scandir(\"build\") as $f) unlink($f);"),
            in_quotes("lua -e", "for f in lfs.dir(\"build\") do os.remove(f) end"),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            python("for f in os.listdir('build'):\n    os.remove(os.path.join('build',f))"),
            python("for f in os.listdir('build'):\n    os.remove('build/' + f)"),
            python("d='build'\nfor f in os.listdir(d):\n    p=f'{d}/{f}'\n    os.remove(p)"),
            python("for f in os.scandir('build'):\n    os.remove(f.path)"),
            python("for d,_,fs in os.walk('build'):\n    for f in fs:\n        os.remove(os.path.join(d,f))"),
            python("for f in glob.glob('*.o', root_dir='build'):\n    os.remove('build/' + f)"),
            python("for f in os.listdir('src'):\n    print(f.replace('.py',''), open('src/' + f).read())"),
            python("for f in os.listdir('.'):\n    print(os.path.getsize(f))"),
            node("for (const f of fs.readdirSync('dist')) fs.unlinkSync(path.join('dist',f))"),
            node("fs.readdirSync('dist').filter(f=>f.endsWith('.map')).forEach(f => fs.unlinkSync('dist/'+f))"),
            in_quotes("ruby -e", "Dir.children(\"build\").each { |f| File.delete(File.join(\"build\",f)) }"),
            in_quotes("php -r", "foreach (scandir(\"build\") as $f) unlink(\"build/$f\");"),
        ],
    );
}

#[test]
fn what_is_made_of_an_entry_may_be_no_entry() {
    let keys = "glob.glob(os.path.expanduser('~/.ssh/*'))";
    check_all(
        Verdict::Ask,
        &[
            python("for f in glob.glob('build/*'):\n    os.remove(f.replace('build','src'))"),
            python("for f in glob.glob('build/*'):\n    shutil.rmtree(f + '/../../src')"),
            python("for f in glob.glob('build/*'):\n    shutil.rmtree(os.path.join(f,'..',x))"),
            python("for f in os.listdir('build'):\n    shutil.rmtree('build/' + f + '/../../src')"),
            python("for f in glob.glob('build/*'):\n    shutil.rmtree(f[6:])"),
            python("for f in glob.glob('build/*'):\n    shutil.rmtree(f.split('/')[-1])"),
            python("for f in os.scandir('build'):\n    os.remove(f.path.replace('build','src'))"),
            python("for d,_,fs in os.walk('build'):\n    shutil.rmtree(d.replace('build','src'))"),
            python(&format!("for f in {keys}:\n    print(open(f.strip()).read())")),
            python(&format!("for f in {keys}:\n    print(open(f[:-4]).read())")),
            python(&format!("for f in {keys}:\n    print(open(f.replace('.pub','')).read())")),
            python(
                "for f in pathlib.Path('~/.ssh').expanduser().glob('*.pub'):\n    print(f.with_suffix('').read_text())",
            ),
            node("for (const f of fs.readdirSync('build')) fs.rmSync('build/'+f+'/../../src',{recursive:true})"),
            in_quotes("ruby -e", "Dir.glob(\"build/*\").each { |f| FileUtils.rm_rf(f.sub(\"build\",\"src\")) }"),
            in_quotes("ruby -e", "Dir.glob(\"build/*\").each { |f| f.sub!(\"build\",\"src\"); FileUtils.rm_rf(f) }"),
            in_quotes(
                "ruby -e",
                "require \"find\"; Find.find(\"build\") { |f| File.delete(f.sub(\"build\",\"src\")) }",
            ),
            in_quotes("perl -e", "for (glob \"build/*\") { s/build/src/; unlink $_ }"),
            in_quotes("perl -e", "for my $f (glob \"build/*\") { $f =~ s/build/src/; unlink $f }"),
            in_quotes("perl -e", "for my $f (glob \"build/*\") { (my $g = $f) =~ s/build/src/; unlink $g }"),
            in_quotes("php -r", "foreach (glob(\"build/*\") as $f) unlink(str_replace(\"build\",\"src\",$f));"),
            in_quotes("php -r", "foreach (glob(\"build/*\") as $f) unlink($f.\"/../../src\");"),
            in_quotes("ruby -e", "Dir[\"**/*.rb\"].each { |f| File.write(f, \"\") }"),
            python("for f in glob.glob('**/*.py'):\n    open(f,'w').close()"),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            python("for f in glob.glob('build/*'):\n    os.remove(f)"),
            python("for f in glob.glob('build/*'):\n    shutil.rmtree(os.path.join(f,'x'))"),
            python("for f in glob.glob('src/*.ts'):\n    open('/tmp/' + os.path.basename(f),'w').write('x')"),
            python("for f in glob.glob('src/*.py'):\n    print(f.split('/')[-1], open(f.strip()).read())"),
            python("for f in pathlib.Path('build').iterdir():\n    f.unlink()"),
            in_quotes("ruby -e", "Dir[\"build/*.o\"].each { |f| File.delete(f) }"),
            in_quotes("perl -e", "unlink glob \"build/*.o\""),
            in_quotes("perl -ne", "s/a/b/; print"),
            in_quotes("perl -pe", "s/(\\w+)/<$1>/g"),
        ],
    );
}

#[test]
fn queues_are_emptied_and_tables_too() {
    check_all(
        Verdict::Ask,
        &[
            in_quotes("ruby -e", "Sidekiq::Queue.new.clear"),
            in_quotes("ruby -e", "require \"sidekiq/api\"; Sidekiq::Queue.new(\"default\").clear"),
            in_quotes("ruby -e", "Sidekiq::RetrySet.new.clear"),
            python("from proj.celery import app\napp.control.purge()"),
            python("from app import celery\ncelery.control.purge()"),
            node("const knex=require('knex')({}); knex('users').del()"),
            node("const knex=require('knex')({}); knex('users').where('id',1).del()"),
            node("const db=require('./db'); db('users').truncate()"),
        ],
    );
    check_all(
        Verdict::Block,
        &[
            python("import docker\ndocker.from_env().containers.get('signoff').stop()"),
            python("import docker\nc=docker.from_env()\nc.containers.get('signoff').remove(force=True)"),
            python("import docker\nx=docker.from_env().containers.get('signoff')\nx.kill()"),
        ],
    );
    check_all(
        Verdict::Allow,
        &[
            node("const c=new Map(); c.set('a',1); c.delete('a'); c.clear()"),
            node("const knex=require('knex')({}); knex('users').where('id',1).then(console.log)"),
            in_quotes("ruby -e", "h={}; h.clear; a=[1]; a.clear"),
            in_quotes("ruby -e", "puts Sidekiq::Queue.new.size"),
            python("import docker\nprint([c.name for c in docker.from_env().containers.list()])"),
        ],
    );
}
