import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';

/** Notes whether a transaction changed rows, however many others run beside it. */
export class ChangeWatcher implements KyselyPlugin {
  private readonly current = new AsyncLocalStorage<{ changed: boolean }>();

  /** Does `work` and calls `changed` behind it if a statement of it changed a row. */
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
