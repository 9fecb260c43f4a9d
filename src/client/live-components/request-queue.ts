import { MOST_ACTIONS } from '#shared/live/component-protocol.ts';
import { liveDefaults } from './defaults.ts';

export type FieldValue = string | boolean | readonly string[];
export type Typed = ReadonlyMap<string, FieldValue>;
export type ActionCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly part: string; readonly file: File }[];
};
/** `poll`: not a user action, the component polls by itself. */
export type LiveRequest = { readonly typed: Typed; readonly actions: readonly ActionCall[]; readonly poll: boolean };
/** Outcome of a request; `apply` is called once it is known which input is still unsent. */
export type Ending = {
  readonly taken: boolean;
  /** No answer came. */ readonly lost?: boolean;
  readonly apply?: (unsent: Typed, request: LiveRequest) => void;
};
type Send = (request: LiveRequest, signal: AbortSignal) => Promise<Ending>;

/**
 * Pending requests of a component. One request runs at a time; input that arrives meanwhile is sent together with the next. Input
 * that the server did not take stays unsent and is sent with the next request.
 */
export class RequestQueue {
  private readonly send: Send;
  private readonly over = new AbortController();
  private unsent = new Map<string, FieldValue>();
  private actions: ActionCall[] = [];
  /** The user's actions that got no answer, until `repeat` or `giveUp`, or until the user did them again. */
  private lost: readonly ActionCall[] = [];
  private wanted: 'nothing' | 'poll' | 'render' = 'nothing';
  private underWay = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: Send) {
    this.send = send;
  }

  /** Records text typed at a writable path. */
  change(path: string, value: FieldValue): void {
    this.unsent.set(path, value);
    this.want('render', liveDefaults.inputDelay);
  }

  act(action: ActionCall): void {
    this.actions.push(action);
    this.want('render', liveDefaults.actionDelay);
  }

  /** Requests the current state of the component. */
  refresh(): void {
    this.want('render', liveDefaults.actionDelay);
  }

  get hasLost(): boolean {
    return this.lost.length > 0;
  }

  /** Sends what was lost again, at the user's request: only the user can tell whether it was carried out. */
  repeat(): void {
    this.actions.unshift(...this.lost);
    this.lost = [];
    this.refresh();
  }

  /** Gives up what was lost, at the user's request, and requests the current state, which shows whether it was carried out. */
  giveUp(): void {
    this.lost = [];
    this.refresh();
  }

  /** Requests the current state, or runs an action, without a user action. */
  poll(action?: ActionCall): void {
    if (action !== undefined) this.actions.push(action);
    this.want('poll', liveDefaults.actionDelay);
  }

  /** Stops: nothing more is sent, and a running request is aborted. */
  stop(): void {
    clearTimeout(this.timer);
    this.over.abort();
  }

  private want(by: 'poll' | 'render', delay: number): void {
    if (by === 'render' || this.wanted === 'nothing') this.wanted = by;
    this.schedule(delay);
  }

  private schedule(delay: number): void {
    if (this.underWay || this.over.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), this.actions.length > 0 ? liveDefaults.actionDelay : delay);
  }

  private async flush(): Promise<void> {
    const request: LiveRequest = {
      typed: this.unsent,
      actions: this.actions.splice(0, MOST_ACTIONS),
      poll: this.wanted === 'poll',
    };
    this.unsent = new Map();
    this.wanted = this.actions.length > 0 ? 'render' : 'nothing';
    this.underWay = true;
    const { taken, lost = false, apply } = await this.send(request, this.over.signal);
    this.underWay = false;
    if (this.over.signal.aborted) return;
    if (!request.poll) this.lost = lost ? [...this.lost, ...request.actions] : without(this.lost, request.actions);
    if (!taken) this.unsent = new Map([...request.typed, ...this.unsent]);
    apply?.(this.unsent, request);
    if (this.wanted !== 'nothing') this.schedule(liveDefaults.inputDelay);
  }
}

/** What the user did once more by its own button is not to be sent a further time. */
const without = (lost: readonly ActionCall[], answered: readonly ActionCall[]): readonly ActionCall[] => {
  const keys = new Set(answered.map(keyOf));
  return lost.filter((one) => !keys.has(keyOf(one)));
};
const keyOf = ({ name, args }: ActionCall): string => JSON.stringify([name, args]);
