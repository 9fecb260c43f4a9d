import type { Defence } from './defence.ts';

/** Against people who guess, and people who ask for too much. */
export const limitDefences: readonly Defence[] = [
  {
    threat: 'T16',
    what: 'passwords that were tried are counted',
    file: 'src/auth/attempts.ts',
    from: 'if (counted === undefined) throw tooMany(await this.waitOf(key, now));',
    to: '',
    test: 'test/e2e/sign-in-limits.test.ts',
    title: 'T16 of 120 passwords',
  },
  {
    threat: 'T16',
    what: 'an unknown address costs the work of a password too',
    file: 'src/auth/passwords.ts',
    from: '    const right = await fits(password, text);\n',
    to: '    if (stored === undefined) return false;\n    const right = await fits(password, text);\n',
    test: 'test/e2e/equal-time.test.ts',
    title: 'T16 a wrong password takes as long',
  },
  {
    threat: 'T16',
    what: 'the promise of a link waits for nothing',
    file: 'src/company/password-routes.ts',
    from: 'inBackground(deps, () => sendReset(deps, body.email.toLowerCase()));',
    to: 'await sendReset(deps, body.email.toLowerCase());',
    test: 'test/e2e/equal-time.test.ts',
    title: 'T16 the link for a forgotten password',
  },
  {
    threat: 'T22',
    what: 'what other processes answered counts too',
    file: 'src/platform/http/limits/request-limit.ts',
    from: 'current: entry.count + this.shared.others(name)',
    to: 'current: entry.count',
    test: 'test/faults/shared-limits.test.ts',
    title: 'requests of a minute',
  },
];
