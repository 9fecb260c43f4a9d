import { accountDefences } from './account.ts';
import { attackDefences } from './attack.ts';
import type { Defence, Unproven } from './defence.ts';
import { faultDefences } from './fault.ts';
import { fileDefences } from './file.ts';
import { limitDefences } from './limit.ts';
import { rightsDefences } from './rights.ts';

/** All defences that are proved by removing them. docs/requirements.md explains the threats and faults. */
export const defences: readonly Defence[] = [
  ...fileDefences,
  ...accountDefences,
  ...attackDefences,
  ...rightsDefences,
  ...limitDefences,
  ...faultDefences,
].toSorted((one, other) => one.threat.localeCompare(other.threat, 'en', { numeric: true }));

export const unproven: readonly Unproven[] = [
  {
    threat: 'F6',
    why: 'the write-ahead log belongs to PGlite; test/faults/kill.test.ts kills the process, but there is no code of Kontor to remove',
  },
  {
    threat: 'F9',
    why: 'no DuckDB file outlives a statement: snapshots are Parquet files, renamed as F1 and F2 prove',
  },
];

/** Returns the rows of the table in docs/security.md. */
export const documented = (): string[] => [
  ...defences.map(({ threat, what, test }) => `| ${threat} | ${what} | \`${test}\` |`),
  ...unproven.map(({ threat, why }) => `| ${threat} | not proved by removing code: ${why} | – |`),
];
