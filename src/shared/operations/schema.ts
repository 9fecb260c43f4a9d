import { z } from 'zod';

/** What the operator of an installation is told about it. */
export const Installation = z
  .object({
    /** Nothing goes out to marketplaces and channels: the system was made from the backup of `backupAt`. Null: everything goes. */
    hold: z.object({ backupAt: z.iso.datetime(), restoredAt: z.iso.datetime() }).nullable(),
    /** No process takes a job until somebody lets them; null: they are taken. */
    paused: z.object({ by: z.string(), since: z.iso.datetime() }).nullable(),
    lastBackup: z.object({ at: z.iso.datetime(), file: z.string(), bytes: z.number() }).nullable(),
    /** Nobody has backed up for two days, or ever. */
    backupOverdue: z.boolean(),
  })
  .meta({ id: 'Installation' });
export type Installation = z.infer<typeof Installation>;
