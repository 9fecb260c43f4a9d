import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { postgresPrograms } from './test/servers/postgres.ts';
import { Flaky } from './test/stages/report/flaky.ts';
import { InputReport } from './test/stages/report/input-report.ts';
import { Skipped } from './test/stages/report/skipped.ts';
import { Slowest } from './test/stages/report/slowest.ts';
import { icons } from './scripts/bundle/icons.ts';
import { compileCache } from './src/platform/compile-cache.ts';

// All workers, and all programs that a test starts, load the same packages.
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

const units = ['{src,seed,scripts,lint,bench,deploy}/**/*.test.ts'];
/**
 * Tests of modules that take more than a second: random inputs, large files, other processes, databases. `npm run check` leaves
 * them to `npm test`.
 */
const slow = ['{src,seed,scripts,lint,bench,deploy}/**/*.slow.test.ts'];

/**
 * Nearly two thousand tests of the running program on a machine that others use too: a single race would reject an unrelated
 * change. Tests that pass only on the second try are listed at the end of the run.
 */
const secondTry = process.env['CI'] === undefined ? 0 : 1;

/** Repeats the tests of the running program on a PostgreSQL server, if this machine has one. */
const onPostgres = postgresPrograms() !== undefined;

export default defineConfig({
  plugins: [icons()],
  test: {
    globalSetup: ['test/stages/global-setup.ts'],
    reporters: ['default', new Slowest(), new InputReport(), new Skipped(), new Flaky()],
    setupFiles: ['test/stages/property-seed.ts'],
    // A worker of browser tests keeps one core busy and takes 2 GB with its browser and programs.
    maxWorkers: Math.min(4, availableParallelism()),
    // Dozens of embedded databases in one process share their compiled code. If V8 frees parts of it while others start or end,
    // it can crash: 'Check failed: jit_page_->allocations_.erase(addr) == 1' (nodejs/node#64500).
    execArgv: ['--no-wasm-code-gc'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a shared, overloaded machine the expected state may come late.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    projects: [
      { extends: true, test: { name: 'unit', include: units, exclude: slow, isolate: false } },
      { extends: true, test: { name: 'slow', include: slow, testTimeout: 180_000, isolate: false } },
      {
        extends: true,
        test: { name: 'server', include: ['test/e2e/**/*.test.ts'], isolate: false, retry: secondTry },
      },
      // No second try: these tests look for rare failures.
      {
        extends: true,
        test: { name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 180_000, isolate: false },
      },
      ...(onPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'server-postgres',
                // Tests that depend on the database; files, uploads and queries for items work the same on both.
                include: [
                  'test/e2e/*/{account-mails,accounts,api-tokens,archived-outcomes,changed-factors,changes-at-once,company-data,confidential-changes,decision-archive-backup,decision-archives,deletion-chain,demo-market,difference,due-deletions,exports,factor-for-orders,failed-jobs,fuzz,hidden-changes,history,installation-token,job-pools,jobs,marketplace-accounts,member-roles,metrics,metrics-access,migrations,missing-secret,notify-deliveries,notify-mail,operations,operator,permanent-deletion,person-watch,pooler,pruned-accounts,pruning,pull-address,quotas,released-states,request-keys,rotate-secret,row-policies,rules,saves-at-once,schedules,schedules-of-processes,second-factor,sign-in,stock-holds,stock-numbers,table-types,tenants,terms,token-buckets,trash,unmailed-links,webhooks}.test.ts',
                  'test/e2e/repricer/{breaker-races,price-controls,repricer,repricer-breakers,repricer-catalogue-changes,repricer-dashboard,repricer-prices,repricer-record,repricer-sales}.test.ts',
                ],
                env: { KONTOR_TEST_DATABASE: 'postgres' },
                isolate: false,
                retry: secondTry,
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
          isolate: false,
          retry: secondTry,
          // A page does not depend on the database; the server's tests make every call on the embedded one. React's production
          // build, as users have it: the development build takes several times as long on the server.
          env: { NODE_ENV: 'production', ...(onPostgres ? { KONTOR_TEST_DATABASE: 'postgres' } : {}) },
        },
      },
    ],
  },
});
