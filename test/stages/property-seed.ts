import fc from 'fast-check';

/**
 * Property tests draw new cases in each run, except if CI is set: a check of a change must be repeatable, and must not fail
 * because of an older defect. KONTOR_TEST_SEED repeats the cases of a run.
 */
const seed = process.env['KONTOR_TEST_SEED'] ?? (process.env['CI'] === undefined ? undefined : '20261124');

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
