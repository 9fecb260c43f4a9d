import { CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { liveDefaults } from './defaults.ts';
import { morph, valueOf, type Field } from './morph.ts';
import { type AddressChange, addressChange } from './page-address.ts';
import { Poller, readPoll } from './poller.ts';
import { type Ending, type LiveRequest, RequestQueue, type Typed } from './request-queue.ts';
import { ask, type ForeignAnswer, type LiveAnswer } from './wire.ts';

/** A sentence next to a component, and what its button does; `giveUp`: the user wants nothing of it any more. */
export type LiveNotice = {
  readonly text: string;
  readonly button: string;
  readonly go: () => void;
  readonly giveUp?: () => void;
};
/** The page that contains live components. */
export type LiveHost = {
  readonly go: (path: string) => void;
  readonly showForeign: (answer: ForeignAnswer) => void;
  /** Shows a notice until the component withdraws it; other components do not affect it. */
  readonly tell: (notice: LiveNotice) => void;
  readonly takeBack: (notice: LiveNotice) => void;
  /** Called if a value that the page's address shows has changed. */
  readonly writeAddress: (change: AddressChange) => void;
  /** Called after a render: components may have been added or removed. */
  readonly drawn: () => void;
};

/** One live component of the page: sends the user's input and renders the answers. */
export class LiveController {
  /** The user has typed or done something: its props are no longer those of the first HTML. */
  touched = false;
  private readonly element: HTMLElement;
  private readonly host: LiveHost;
  private readonly queue = new RequestQueue((request, signal) => this.send(request, signal));
  private poller: Poller | undefined;
  /** What `data-poll` said when `poller` was made. */
  private polled: string | undefined;
  private notice: LiveNotice | undefined;
  private sight: IntersectionObserver | undefined;

  constructor(element: HTMLElement, host: LiveHost) {
    this.element = element;
    this.host = host;
    this.begin();
  }

  change(path: string, field: Field): void {
    this.touched = true;
    this.queue.change(path, valueOf(field));
  }

  /** `withFiles`: files chosen in the component are sent, too. */
  act(name: string, args: Readonly<Record<string, unknown>>, withFiles: boolean): void {
    this.touched = true;
    const inputs = withFiles ? this.element.querySelectorAll<HTMLInputElement>('input[type="file"][name]') : [];
    const files = [...inputs].flatMap(({ name: part, files: chosen }) =>
      [...(chosen ?? [])].map((file) => ({ part, file })),
    );
    this.queue.act({ name, args, files });
  }

  refresh(): void {
    this.queue.refresh();
  }

  /** Renders the HTML of the page's loader; a component that the user has used requests its own instead. */
  renew(next: HTMLElement): void {
    const other = next.dataset['liveAddress'] !== this.element.dataset['liveAddress'];
    // The user went back, or followed an address: the new address decides.
    if (other) this.touched = false;
    const { liveLoading } = next.dataset;
    if (this.touched || (liveLoading !== undefined && !other && !this.waits())) this.refresh();
    else this.draw(next, new Map(), true);
  }

  stop(): void {
    this.poller?.stop();
    this.sight?.disconnect();
    this.queue.stop();
    this.notify(undefined);
  }

  private readonly waits = (): boolean => this.element.dataset['liveLoading'] !== undefined;

  /** Requests a component that the page came without, at once or when it is about to be seen; a present one starts polling. */
  private begin(): void {
    if (!this.waits()) return this.startPolling();
    if (this.element.dataset['liveLoading'] !== 'lazy') return this.refresh();
    this.sight ??= new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.sight?.disconnect();
        this.sight = undefined;
        this.refresh();
      },
      { rootMargin: liveDefaults.lazyMargin },
    );
    this.sight.observe(this.element);
  }

  /** Polls as the present HTML says: an answer may change or end it. */
  private startPolling(): void {
    const poll = this.element.dataset['poll'];
    if (poll === this.polled) return;
    this.poller?.stop();
    this.poller = undefined;
    this.polled = poll;
    if (poll === undefined) return;
    const { everyMs, action } = readPoll(poll);
    this.poller = new Poller({
      everyMs,
      ask: () => this.queue.poll(action === undefined ? undefined : { name: action, args: {}, files: [] }),
      onPause: () => this.tellPaused(),
    });
  }

  private async send(request: LiveRequest, signal: AbortSignal): Promise<Ending> {
    const loading = request.poll ? undefined : setTimeout(() => this.showLoading(true), liveDefaults.loadingDelay);
    try {
      const answer = await ask(this.element, request, signal);
      this.poller?.ended(answer.kind !== 'foreign' || !request.poll);
      return this.endingOf(answer, request);
    } catch (error) {
      if (!signal.aborted) this.lost(error, request);
      return { taken: false, lost: true };
    } finally {
      clearTimeout(loading);
      this.showLoading(false);
    }
  }

  private endingOf(answer: LiveAnswer, request: LiveRequest): Ending {
    if (answer.kind === 'redirect') {
      this.host.go(answer.path);
      return { taken: true };
    }
    if (answer.kind === 'foreign') {
      // A failure that no user action caused must not cover what the user is doing.
      if (this.waits() && !this.touched) this.tellNotLoaded();
      else if (!request.poll) this.host.showForeign(answer.answer);
      return { taken: false };
    }
    return {
      taken: !answer.invalid,
      apply: (unsent) => {
        this.tellAnswered();
        const before = this.element.dataset['liveAddress'];
        this.draw(answer.root, unsent, request.actions.length === 0);
        const change = request.poll ? undefined : addressChange(before, this.element);
        if (change !== undefined) this.host.writeAddress(change);
        if (!answer.invalid) this.forgetFiles(request);
      },
    };
  }

  private draw(next: HTMLElement, unsent: Typed, keepActive: boolean): void {
    morph(this.element, next, unsent, keepActive);
    this.begin();
    this.host.drawn();
  }

  private forgetFiles({ actions }: LiveRequest): void {
    const sent = new Set(actions.flatMap(({ files }) => files.map(({ part }) => part)));
    for (const input of this.element.querySelectorAll<HTMLInputElement>('input[type="file"][name]'))
      if (sent.has(input.name)) input.value = '';
  }

  private lost(error: unknown, { poll, actions }: LiveRequest): void {
    logFailure('Fehler beim Laden', error);
    this.poller?.ended(!poll);
    if (poll) return;
    if (this.waits() && !this.touched) return this.tellNotLoaded();
    const text = error instanceof CallError ? error.message : 'Die Antwort des Servers war unverständlich.';
    this.tellLost(`${text} Ihre Eingaben sind noch da.`, actions.length > 0 || this.queue.hasLost);
  }

  /** The server answers again; an action that got no answer before can still be repeated. */
  private tellAnswered(): void {
    if (!this.queue.hasLost) return this.notify(undefined);
    this.tellLost(
      'Auf eine Ihrer Aktionen hat der Server nicht geantwortet, vielleicht hat er sie trotzdem ausgeführt. Bitte prüfen Sie das, bevor Sie sie erneut senden.',
      true,
    );
  }

  /** `withActions`: not only typed text, which the next request sends in any case, but actions that can be given up. */
  private tellLost(text: string, withActions: boolean): void {
    // A component that polls is answered every few seconds: the same notice is not read out each time.
    if (this.notice?.text === text && (this.notice.giveUp !== undefined) === withActions) return;
    const giveUp = () => {
      this.notify(undefined);
      this.queue.giveUp();
    };
    const go = () => this.queue.repeat();
    this.notify({ text, button: 'Erneut senden', go, ...(withActions ? { giveUp } : {}) });
  }

  private tellNotLoaded(): void {
    const text = 'Dieser Teil der Seite konnte nicht geladen werden.';
    this.notify({ text, button: 'Erneut laden', go: () => this.refresh() });
  }

  private tellPaused(): void {
    const go = () => {
      this.poller?.resume();
      this.refresh();
    };
    this.notify({ text: 'Diese Anzeige wird nicht mehr aktualisiert.', button: 'Weiter aktualisieren', go });
  }

  private notify(notice: LiveNotice | undefined): void {
    if (this.notice !== undefined) this.host.takeBack(this.notice);
    this.notice = notice;
    if (notice !== undefined) this.host.tell(notice);
  }

  private showLoading(on: boolean): void {
    this.element.toggleAttribute('data-loading', on);
    if (on) this.element.setAttribute('aria-busy', 'true');
    else this.element.removeAttribute('aria-busy');
  }
}
