import fc from 'fast-check';

/**
 * Property tests draw new cases in each run, except where CI is set: what decides over a change must say the same twice,
 * and must not refuse it for what was there before. KONTOR_TEST_SEED draws the cases of a run again.
 */
const seed = process.env['KONTOR_TEST_SEED'] ?? (process.env['CI'] === undefined ? undefined : '20261124');

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
