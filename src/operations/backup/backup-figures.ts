import { lastBackup } from '#platform/installation-facts.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';

/** Gauge with the age of the last finished backup; no value if there never was one. */
export const backupFigures = defineFigures({
  gauges: { kontor_backup_age_seconds: { help: 'Since the last finished backup.', labels: [] } },
  read: async (trx, now) => {
    const last = await lastBackup(trx);
    if (last === undefined) return { kontor_backup_age_seconds: [] };
    const seconds = Math.max(0, (now.getTime() - Date.parse(last.at)) / 1000);
    return { kontor_backup_age_seconds: [{ labels: {}, value: seconds }] };
  },
});
