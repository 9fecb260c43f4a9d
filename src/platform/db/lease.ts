import type { Database } from './database.ts';
import { pg, secondsFromNow } from './pg.ts';

/**
 * A lease for work that only one of several processes should do. Its holder has it for `seconds` and may renew it; if the
 * process is killed, another takes over after that. It only saves work: two processes may briefly both believe that they hold
 * it.
 */
export class Lease {
  private readonly database: Database;
  private readonly name: string;
  private readonly holder: string;
  private readonly seconds: number;

  constructor(database: Database, { name, holder, seconds }: { name: string; holder: string; seconds: number }) {
    this.database = database;
    this.name = name;
    this.holder = holder;
    this.seconds = seconds;
  }

  /** Takes or renews the lease; false: another process holds it. */
  async take(): Promise<boolean> {
    const row = { holder: this.holder, until: secondsFromNow(this.seconds) };
    const leased = await this.database.kysely
      .insertInto('leases')
      .values({ name: this.name, ...row })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(row)
          .where((eb) =>
            eb.or([
              eb('leases.holder', '=', this.holder),
              eb('leases.until', '<', pg<Date>`now()`),
              // The database's clock was put back since.
              eb('leases.until', '>', secondsFromNow(2 * this.seconds)),
            ]),
          ),
      )
      .returning('holder')
      .executeTakeFirst();
    return leased !== undefined;
  }

  /** Releases the lease if this process holds it. */
  async release(): Promise<void> {
    await this.database.kysely
      .deleteFrom('leases')
      .where((eb) => eb.and({ name: this.name, holder: this.holder }))
      .execute();
  }
}
