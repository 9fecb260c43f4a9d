import { defineConfig } from 'vitest/config';
import { postgresPrograms } from './test/servers/postgres.ts';

/** The same tests of the running program once more on a PostgreSQL server, where this machine has one. */
const onPostgres = postgresPrograms() !== undefined;
if (!onPostgres)
  process.emitWarning('Kein PostgreSQL gefunden: die Servertests laufen nur auf der eingebetteten Datenbank.');

export default defineConfig({
  test: {
    globalSetup: ['test/stages/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes when a shared, overloaded machine gets to it.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['{src,seed,scripts,lint}/**/*.test.ts'] } },
      { extends: true, test: { name: 'server', include: ['test/{e2e,faults}/**/*.test.ts'] } },
      ...(onPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'server-postgres',
                // What the database itself decides; files, uploads and questions to the items are the same on either.
                include: [
                  'test/e2e/{accounts,difference,exports,history,job-pools,jobs,marketplace-accounts,notify-mail,rules,schedules,tenants}.test.ts',
                  'test/e2e/{repricer,repricer-breakers,repricer-dashboard,repricer-prices,repricer-record,repricer-sales}.test.ts',
                ],
                env: { KONTOR_TEST_DATABASE: 'postgres' },
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          // A browser on a shared, overloaded machine misses a deadline now and then; a real fault fails twice.
          retry: process.env['CI'] === undefined ? 0 : 1,
        },
      },
    ],
  },
});
