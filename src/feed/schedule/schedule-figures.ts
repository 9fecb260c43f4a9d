import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { defineFigures } from '#platform/telemetry/database-figures.ts';

const Late = z.object({ subject: z.string(), oldest: z.date() }).array();

/** Shows whether due runs are started at all, by whichever process. */
export const scheduleFigures = defineFigures({
  gauges: {
    kontor_schedules_due_seconds: { help: 'How long the longest waiting schedule has been due.', labels: ['subject'] },
  },
  read: async (trx, now) => {
    // Catalogues and exports in the trash are paused, and row security hides them here.
    const { rows } = await pg`select s.subject, min(s.next_at) as oldest from schedules s where s.next_at <= ${now}
      and s.subject in ('schedule', 'stock_schedule')
      and (exists (select 1 from masters m where m.company = s.company and 'master:' || m.id = s.scope)
        or exists (select 1 from exports e where e.company = s.company and 'export:' || e.id = s.scope))
      group by s.subject`.execute(trx);
    return {
      kontor_schedules_due_seconds: Late.parse(rows).map(({ subject, oldest }) => ({
        labels: { subject },
        value: (now.getTime() - oldest.getTime()) / 1000,
      })),
    };
  },
});
