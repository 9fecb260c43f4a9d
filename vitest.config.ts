import { defineConfig } from 'vitest/config';
import { postgresPrograms } from './e2e/support/postgres.ts';

/** The same tests of the running program once more on a PostgreSQL server, where this machine has one. */
const onPostgres = postgresPrograms() !== undefined;
if (!onPostgres)
  process.emitWarning('Kein PostgreSQL gefunden: die Servertests laufen nur auf der eingebetteten Datenbank.');

export default defineConfig({
  test: {
    globalSetup: ['e2e/support/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes when a shared, overloaded machine gets to it.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['{src,seed,scripts}/**/*.test.ts'] } },
      { extends: true, test: { name: 'server', include: ['e2e/**/*.test.ts'], exclude: ['e2e/browser/**'] } },
      ...(onPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'server-postgres',
                // What the database itself decides; files, uploads and questions to the items are the same on either.
                include: [
                  'e2e/{accounts,difference,exports,history,jobs,marketplace-accounts,notify-mail,rules,schedules,tenants}.test.ts',
                  'e2e/{repricer,repricer-breakers,repricer-dashboard,repricer-prices,repricer-record,repricer-sales}.test.ts',
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
          include: ['e2e/browser/**/*.test.ts'],
          testTimeout: 120_000,
          // A browser on a shared, overloaded machine misses a deadline now and then; a real fault fails twice.
          retry: process.env['CI'] === undefined ? 0 : 1,
        },
      },
    ],
  },
});
