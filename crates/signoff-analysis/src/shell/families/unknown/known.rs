//! Programs outside the other families whose words need explaining: what the lexicon would misread or miss.

use super::{SAYS_CHANGES, SAYS_DESTROYS, SAYS_PUBLISHES};
use crate::shell::families::{
    secrets::SHOW_SECRET,
    tool::{
        self,
        Does::{Fine, Reveals, Speaks, Words},
        Tool, tools,
    },
};

/// The description of a program.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    tool::find(&DESCRIPTIONS, name)
}

// Where a backup is brought back to decides, so that these are asked for first.
tools! { pub(in crate::shell::families) BACKUPS:
    // What is forgotten is gone, what is restored overwrites.
    "borg" => Fine,
        values: "--rsh --remote-path --lock-wait",
        options: &[("-n --dry-run", Fine)],
        verbs: &[("extract", Speaks(&SAYS_CHANGES)), ("delete prune compact recreate break-lock", Speaks(&SAYS_DESTROYS))];
    "restic rustic kopia duplicity duplicacy rdiff-backup bup resticprofile backup" => Fine,
        values: "-r --repo -p --password-file --repository -d --bup-dir --host --tag --path --target -t --include -i --exclude -e",
        options: &[("-n --dry-run", Fine), ("--remove-older-than --remove-all-but-n-full --nuke", Speaks(&SAYS_DESTROYS))],
        verbs: &[
            ("forget prune remove-older-than remove-all-but-n-full cleanup rm gc maintenance snapshot+delete policy+delete \
                repair remove", Speaks(&SAYS_DESTROYS)),
            ("restore snapshot+restore", Speaks(&SAYS_CHANGES)),
        ];
}

tools! { pub(in crate::shell::families) DESCRIPTIONS:
    "altool iTMSTransporter" => Fine,
        options: &[("--upload-app --upload-package --upload-asset-pack -u", Speaks(&SAYS_PUBLISHES)), ("-m", Words)],
        whole_words: true;
    // The lexicon would misread these.
    "reset clear tput resize rmlint unimatrix wipeclean flash lsb_release http-server-upload semver quickget \
         submit decompile disassemble \
        plasma-apply-colorscheme plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel" => Fine;
    // And it would miss these.
    "rmlint.sh" => Speaks(&SAYS_DESTROYS),
        options: &[("--dry-run", Fine)],
        bare: Speaks(&SAYS_DESTROYS);
    "czkawka_cli duperemove" => Fine,
        options: &[("-D --delete-method -d --delete -N --noprompt -deleteduplicates", Speaks(&SAYS_DESTROYS))],
        verbs: &[("remove link move", Speaks(&SAYS_DESTROYS))];
    "gphoto2" => Fine,
        options: &[("-D --delete-all-files -d --delete-file", Speaks(&SAYS_DESTROYS))];
    // Data and models: what is collected as garbage, replaced or taken back is gone.
    "dvc" => Fine,
        values: "--cd -r --remote -j --jobs",
        options: &[("--dry", Fine)],
        verbs: &[
            ("gc destroy remove move", Speaks(&SAYS_DESTROYS)),
            ("push", Speaks(&SAYS_PUBLISHES)),
            ("remote+remove remote+modify exp+remove exp+gc exp+clean", Speaks(&SAYS_DESTROYS)),
        ];
    "mlflow wandb clearml kedro zenml feast bentoml metaflow prefect dagster luigi" => Words,
        verbs: &[
            ("gc teardown artifacts+delete experiments+delete runs+delete db+downgrade reset", Speaks(&SAYS_DESTROYS)),
            ("db+upgrade apply", Speaks(&SAYS_CHANGES)),
            ("sync artifact+put artifacts+log-artifact artifacts+log-artifacts", Speaks(&SAYS_PUBLISHES)),
        ];
    "airflow" => Words,
        verbs: &[
            ("tasks+clear dags+backfill backfill dags+trigger dags+pause dags+unpause tasks+run variables+set variables+import \
                connections+add connections+import pools+set pools+import users+create users+add-role users+import \
                roles+create roles+add-perms", Speaks(&SAYS_CHANGES)),
            ("db+downgrade db+clean variables+delete connections+delete pools+delete", Speaks(&SAYS_DESTROYS)),
            ("connections+get connections+export", Reveals(&SHOW_SECRET)),
            ("tasks+test dags+test", Fine),
        ];
    // Tasks that workers somewhere else take up.
    "celery" => Words,
        values: "-A --app -b --broker --workdir --result-backend --loader --config -l --loglevel",
        verbs: &[("call", Speaks(&SAYS_PUBLISHES)), ("control", Speaks(&SAYS_CHANGES)), ("worker beat inspect report status", Fine)];
    "rcon rcon-cli mcrcon rconclt" => Speaks(&SAYS_CHANGES),
        values: "-H --host -P --port -p --password -a --address -c --config -e --env",
        verbs: &[("list help status players version seed info stats", Fine)];
    "rosservice rostopic rosparam" => Fine,
        verbs: &[("call pub set delete load", Speaks(&SAYS_CHANGES))];
    "cansend canplayer cangen" => Speaks(&SAYS_CHANGES),
        options: &[("-h -? --help", Fine)];
    "jenkins-cli" => Speaks(&SAYS_CHANGES),
        values: "-s -auth -i -user -logger -webSocket -http -ssh",
        verbs: &[("help version who-am-i console list-jobs list-plugins list-changes get-job get-node get-view \
            list-credentials get-gradle", Fine)];
    "kamal mrsk" => Words,
        values: "-d --destination -c --config-file -h --hosts -r --roles --version",
        verbs: &[
            ("setup deploy redeploy rollback", Speaks(&SAYS_PUBLISHES)),
            ("remove prune app+remove accessory+remove proxy+remove", Speaks(&SAYS_DESTROYS)),
            ("restart app+boot app+start app+stop app+restart app+exec server+bootstrap server+exec accessory+boot accessory+start \
                accessory+stop accessory+reboot accessory+restart accessory+exec proxy+boot proxy+reboot proxy+restart proxy+stop \
                env+push registry+login", Speaks(&SAYS_CHANGES)),
            ("secrets+fetch secrets+extract secrets+print", Reveals(&SHOW_SECRET)),
            ("config details audit version init docs help app+details app+logs app+containers app+images accessory+details \
                accessory+logs proxy+details proxy+logs lock+status", Fine),
        ];
    "strapi" => Words,
        verbs: &[("import transfer", Speaks(&SAYS_CHANGES))];
    "neo4j-admin" => Words,
        verbs: &[
            ("load restore import", Speaks(&SAYS_DESTROYS)),
            ("database+load database+import database+restore database+migrate", Speaks(&SAYS_DESTROYS)),
            ("dbms+set-initial-password set-initial-password", Speaks(&SAYS_CHANGES)),
        ];
    "ldapdelete ldapmodrdn" => Speaks(&SAYS_DESTROYS),
        options: &[("-n --dry-run", Fine)];
    "ldapmodify ldapadd ldappasswd ldapexop slapadd slapmodify ldbmodify ldbdel ldbadd ldbrename" => Speaks(&SAYS_CHANGES),
        options: &[("-n --dry-run", Fine)],
        bare: Speaks(&SAYS_CHANGES);
    "hdfs hadoop dbfs" => Words,
        options: &[
            ("-rm -rmr -rmdir -expunge -deleteSnapshot -format -rollback -finalize -delete", Speaks(&SAYS_DESTROYS)),
            ("-put -copyFromLocal -moveFromLocal -mv -cp -chmod -chown -chgrp -setrep -truncate -touchz -mkdir \
                -appendToFile -setfacl", Speaks(&SAYS_CHANGES)),
        ],
        whole_words: true;
    "pt-online-schema-change gh-ost pt-table-sync pt-kill pt-archiver pt-slave-restart spirit" => Fine,
        options: &[
            ("--dry-run --noop --test-on-replica", Fine),
            ("--execute --purge --kill --kill-query", Speaks(&SAYS_CHANGES)),
        ];
    "memcflush memcrm memctouch" => Speaks(&SAYS_DESTROYS),
        options: &[("-h --help -V --version", Fine)],
        bare: Speaks(&SAYS_DESTROYS);
    "nsupdate knsupdate" => Speaks(&SAYS_CHANGES),
        options: &[("-h -V", Fine)],
        bare: Speaks(&SAYS_CHANGES);
    "varnishadm" => Speaks(&SAYS_CHANGES),
        values: "-n -S -T -t",
        verbs: &[("status ping banner vcl.list vcl.show backend.list storage.list param.show ban.list panic.show help", Fine)];
    "wal-g walg" => Fine,
        verbs: &[
            ("delete", Speaks(&SAYS_DESTROYS)),
            ("backup-fetch wal-fetch restore backup-mark catchup-fetch", Speaks(&SAYS_CHANGES)),
        ];
    "tarsnap" => Fine,
        options: &[("-d --nuke", Speaks(&SAYS_DESTROYS)), ("--dry-run --list-archives -t", Fine)];
    "rsnapshot" => Speaks(&SAYS_CHANGES),
        options: &[("-t", Fine)],
        verbs: &[("configtest du diff", Fine)];
    "puppetserver" => Fine,
        verbs: &[("ca+clean ca+revoke ca+sign ca+setup ca+import ca+delete", Speaks(&SAYS_CHANGES)), ("stop", Speaks(&SAYS_CHANGES))];
    "ray sky" => Words,
        verbs: &[
            ("down stop kill cancel", Speaks(&SAYS_CHANGES)),
            ("launch exec submit up jobs+launch serve+up job+submit", Speaks(&SAYS_PUBLISHES)),
        ];
    "cookiecutter copier cruft yo projen" => Fine,
        options: &[
            ("--pretend --dry-run -n", Fine),
            ("--overwrite-if-exists -f --overwrite --force", Speaks(&SAYS_DESTROYS)),
            ("--trust --UNSAFE --accept-hooks=yes", Speaks(&SAYS_CHANGES)),
        ],
        verbs: &[("eject", Speaks(&SAYS_CHANGES))];
    "onedrive" => Fine,
        options: &[("--dry-run --display-config --display-sync-status", Fine), ("--resync --force --logout", Speaks(&SAYS_DESTROYS))];
    "degit tiged giget gitpick" => Fine,
        options: &[("--force -f --force-clean", Speaks(&SAYS_DESTROYS))];
    // Who silences an alarm keeps others from hearing of what happens.
    "amtool" => Fine,
        values: "--alertmanager.url --config.file -o --output --timeout -d --duration -c --comment -a --author",
        verbs: &[("silence+add silence+expire silence+update silence+import", Speaks(&SAYS_CHANGES))];
    "dogshell" => Fine,
        values: "--api-key --application-key --config --timeout",
        verbs: &[
            ("monitor+mute monitor+mute_all monitor+unmute monitor+unmute_all monitor+post monitor+update monitor+delete \
                downtime+post downtime+update downtime+delete host+mute host+unmute", Speaks(&SAYS_CHANGES)),
        ];
    "pd" => Fine,
        verbs: &[
            ("incident+ack incident+resolve incident+create incident+assign incident+set incident+merge incident+snooze \
                service+disable service+enable service+set event+alert event+change schedule+override team+delete \
                user+delete", Speaks(&SAYS_CHANGES)),
            ("incident:ack incident:resolve incident:create incident:assign incident:set incident:merge service:disable \
                service:enable service:set event:alert schedule:override", Speaks(&SAYS_CHANGES)),
        ];
    "mimirtool cortextool" => Words,
        verbs: &[("rules+load rules+sync rules+delete alertmanager+load alertmanager+delete", Speaks(&SAYS_CHANGES))];
    // Services of others, steered from here.
    "k8sec loft komac pvesubscription \
         \
              gcalcli todoist tod \
           ionosctl kcadm.sh rundeck octopus filen skicka \
        immich immich-go wlc transifex tx crowdin ohdear opsgenie slack \
        discord mattermost mmctl odpscmd dbx octez-client solana-keygen hsd-cli hsw-cli cbt \
" => Speaks(&SAYS_CHANGES),
        options: &[("--help -h", Fine)],
        verbs: &[
            ("login logout auth whoami init pull export download copy-from open browse agenda calw calm today search build dev \
                serve validate digest manifest catalog config blob ls tag head query extract cat", Fine),
        ];
    "rustup-init rustup-init.sh ghcup-init" => Speaks(&SAYS_CHANGES),
        bare: Speaks(&SAYS_CHANGES);
}
