import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';

/** Detects whether a transaction changed rows, even with other transactions running in parallel. */
export class ChangeWatcher implements KyselyPlugin {
  private readonly current = new AsyncLocalStorage<{ changed: boolean }>();

  /** Runs `work`, then calls `changed` if one of its statements changed a row. */
  async watch<T>(work: () => Promise<T>, changed: () => void): Promise<T> {
    const seen = { changed: false };
    const result = await this.current.run(seen, work);
    if (seen.changed) changed();
    return result;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }
  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const seen = this.current.getStore();
    if (seen !== undefined && (result.numAffectedRows ?? 0n) > 0n) seen.changed = true;
    return Promise.resolve(result);
  }
}
