use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn plans_status_and_development_are_allowed() {
    check(
        Verdict::Allow,
        &[
            "bin/rails db:migrate:status",
            "rails server",
            "rails generate model Post title:string",
            "rails runner 'puts User.count'",
            "RAILS_ENV=test rake db:reset",
            "rake",
            "rake test",
            "rake -T",
            "rake assets:precompile tmp:clear",
            "./manage.py migrate --plan",
            "manage.py sqlflush",
            "manage.py makemigrations",
            "manage.py runserver 0.0.0.0:8000",
            "manage.py shell -c 'print(User.objects.count())'",
            "alembic upgrade head --sql",
            "alembic history",
            "prisma validate",
            "prisma generate",
            "prisma migrate status",
            "prisma migrate dev --create-only",
            "drizzle-kit generate",
            "knex migrate:make add_users",
            "typeorm schema:log",
            "typeorm query 'SELECT 1'",
            "artisan migrate:status",
            "artisan cache:clear",
            "artisan make:model User",
            "artisan migrate --pretend",
            "sqlx migrate info",
            "sqlx prepare",
            "diesel migration list",
            "goose status",
            "migrate create -ext sql -dir db add_users",
            "atlas schema inspect -u x",
            "mix test",
            "mix ecto.gen.migration add_users",
            "mix deps.get",
            "liquibase status",
            "flyway info",
            "flask run",
            "dbt compile",
            "bin/console cache:clear",
        ],
    );
}

#[test]
fn changes_to_the_database_ask() {
    check(
        Verdict::Ask,
        &[
            "bin/rails db:drop",
            "rails db:migrate",
            "rake db:drop db:create db:migrate",
            "rails db:schema:load",
            "rails db:rollback STEP=3",
            "rails runner 'User.delete_all'",
            "rails credentials:show",
            "rails destroy model Post",
            "rake release",
            "./manage.py flush --no-input",
            "manage.py migrate",
            "manage.py migrate app zero",
            "manage.py shell -c 'User.objects.all().delete()'",
            "manage.py shell -c \"call_command('flush')\"",
            "alembic upgrade head",
            "alembic downgrade -1",
            "flask db downgrade",
            "prisma db push --accept-data-loss",
            "prisma migrate reset --force",
            "prisma migrate deploy",
            "drizzle-kit push --force",
            "knex migrate:rollback --all",
            "sequelize db:migrate:undo:all",
            "typeorm schema:drop",
            "typeorm query 'DROP TABLE t'",
            "artisan migrate:fresh --seed",
            "artisan db:wipe",
            "artisan tinker --execute=\"Artisan::call('migrate:fresh');\"",
            "artisan tinker --execute 'DB::statement(\"DROP TABLE users\")'",
            "sqlx database drop -y",
            "diesel database reset",
            "migrate -path db -database postgres://x drop -f",
            "atlas schema clean -u x",
            "mix ecto.reset",
            "mix do ecto.drop, ecto.create",
            "liquibase drop-all",
            "flyway clean migrate",
            "dotnet-ef database drop",
            "bin/console doctrine:database:drop --force",
        ],
    );
}

#[test]
fn going_back_asks() {
    check(
        Verdict::Ask,
        &[
            "goose down",
            r#"goose postgres "$DSN" down"#,
            "goose reset",
            "migrate -path m -database $D down",
            "dbmate down",
            "alembic downgrade base",
            "sequelize db:migrate:undo:all",
            "atlas schema clean",
            "sqitch revert -y",
            "flyway clean",
            "liquibase rollbackCount 5",
            "tern migrate -d 0",
            "refinery migrate -d",
        ],
    );
}

#[test]
fn looking_at_the_state_passes() {
    check(Verdict::Allow, &["goose status"]);
}

#[test]
fn the_test_database_is_made_again() {
    check(
        Verdict::Allow,
        &[
            "APP_ENV=testing php artisan migrate:fresh",
            "php artisan migrate:fresh --env=testing",
            "php artisan migrate:fresh --seed --env testing",
            "RAILS_ENV=test bundle exec rake db:drop db:create db:migrate",
            "export RAILS_ENV=test; rails db:reset",
            "MIX_ENV=test mix ecto.reset",
            "bin/console doctrine:database:drop --force --env=test",
            "bin/console doctrine:migrations:migrate -n -e test",
            "DJANGO_SETTINGS_MODULE=app.settings.test python manage.py flush --no-input",
            "DATABASE_URL=postgres://u:p@localhost:5432/app_test npx prisma migrate reset --force",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "APP_ENV=testing php artisan migrate:fresh --env=production",
            "APP_ENV=testing APP_ENV=production php artisan migrate:fresh",
            "APP_ENV=staging php artisan migrate:fresh",
            "APP_ENV=testing; APP_ENV=$X php artisan migrate:fresh",
            "bin/console doctrine:database:drop --force --env=prod",
            "DJANGO_SETTINGS_MODULE=app.settings.latest python manage.py flush --no-input",
            "DATABASE_URL=postgres://u:p@db.example.com/app_test npx prisma migrate reset --force",
            "DATABASE_URL=postgres://u:p@localhost/latest npx prisma migrate reset --force",
        ],
    );
}
