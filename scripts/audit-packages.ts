import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// `npm run audit:packages [-- --strict]`: queries the registry for known vulnerabilities of the packages and for their signatures
// (T25). Exits with 1 if there is one of high severity or worse, or a wrong signature. A registry that answers neither (a mirror,
// no network) is reported as not checked, which with `--strict`, as before a release, is a failure as well.

/** Result of a check: good, bad, or unknown because the registry did not answer. */
export type Verdict = { readonly state: 'good' | 'bad' | 'unknown'; readonly said: string };

const Vulnerabilities = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});
const Refusal = z.object({ message: z.string() });
const Signatures = z.object({
  invalid: z.array(z.object({ name: z.string(), version: z.string() })),
  missing: z.array(z.object({ name: z.string(), version: z.string() })),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const nothing = (text: unknown): Verdict => {
  const refusal = Refusal.safeParse(text);
  return { state: 'unknown', said: refusal.success ? refusal.data.message : 'npm gab keine Antwort' };
};

/** Judges the output of `npm audit --json`. */
export function judgeHoles(output: string): Verdict {
  const answer = parsed(output);
  const found = Vulnerabilities.safeParse(answer);
  if (!found.success) return nothing(answer);
  const grave = Object.entries(found.data.vulnerabilities).filter(
    ([, { severity }]) => severity === 'high' || severity === 'critical',
  );
  if (grave.length === 0) return { state: 'good', said: 'keine bekannte Lücke der Stufe „hoch“ oder höher' };
  const list = grave.map(([name, { severity, range }]) => `${name} ${range} (${severity})`);
  return { state: 'bad', said: list.join(', ') };
}

/** Judges the output of `npm audit signatures --json`. Packages without a signature are no failure: some registries keep none. */
export function judgeSignatures(output: string): Verdict {
  const answer = parsed(output);
  const found = Signatures.safeParse(answer);
  if (!found.success) return nothing(answer);
  const { invalid, missing } = found.data;
  if (invalid.length > 0)
    return { state: 'bad', said: `falsch: ${invalid.map(({ name, version }) => `${name}@${version}`).join(', ')}` };
  const without = missing.length === 0 ? '' : `, ${missing.length} Pakete ohne Unterschrift`;
  return { state: 'good', said: `keine falsche Unterschrift${without}` };
}

/** Longest wait for a registry that does not answer. */
const PATIENCE_MS = 120_000;

const ask = (...words: readonly string[]) =>
  spawnSync('npm', ['audit', ...words, '--json'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).stdout;

if (import.meta.main) {
  const words = { good: 'gut', bad: 'SCHLECHT', unknown: 'NICHT GEPRÜFT' };
  const strict = process.argv.includes('--strict');
  const holes = judgeHoles(ask());
  // npm takes a minute to give up on signatures if the registry has none.
  const unasked: Verdict = { state: 'unknown', said: 'nicht gefragt: diese Registry beantwortet keine Prüfungen' };
  const signatures = holes.state === 'unknown' && !strict ? unasked : judgeSignatures(ask('signatures'));
  const verdicts = [
    ['Bekannte Lücken', holes],
    ['Unterschriften', signatures],
  ] as const;
  for (const [title, { state, said }] of verdicts) console.log(`${title.padEnd(18)}${words[state].padEnd(15)}${said}`);
  const failing = strict ? ['bad', 'unknown'] : ['bad'];
  if (verdicts.some(([, { state }]) => failing.includes(state))) process.exitCode = 1;
}
