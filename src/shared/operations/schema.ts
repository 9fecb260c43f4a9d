import { z } from 'zod';

/** The state of an installation, for its operator. */
export const Installation = z
  .object({
    /** Nothing is sent to marketplaces and channels: the system was restored from the backup of `backupAt`. null: no hold. */
    hold: z.object({ backupAt: z.iso.datetime(), restoredAt: z.iso.datetime() }).nullable(),
    /** No process takes a job until they are resumed; null: not paused. */
    paused: z.object({ by: z.string(), since: z.iso.datetime() }).nullable(),
    lastBackup: z.object({ at: z.iso.datetime(), file: z.string(), bytes: z.number() }).nullable(),
    /** The last backup is older than two days, or there is none. */
    backupOverdue: z.boolean(),
  })
  .meta({ id: 'Installation' });
export type Installation = z.infer<typeof Installation>;
