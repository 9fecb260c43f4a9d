import { isRecord } from '#client/record.ts';
import { isChoice, isField } from './morph.ts';
import { LiveController, type LiveHost } from './live-controller.ts';
import { rootOf } from './wire.ts';

const selector = '[data-live-component]';

/** All live components in a part of the page: passes user events on to the component they happen in. */
export class LiveTree {
  private readonly container: HTMLElement;
  private readonly host: LiveHost;
  private readonly controllers = new Map<Element, LiveController>();
  private readonly over = new AbortController();

  constructor(container: HTMLElement, host: Omit<LiveHost, 'drawn'>) {
    this.container = container;
    this.host = { ...host, drawn: () => this.meet() };
    const { signal } = this.over;
    for (const kind of ['input', 'change'] as const)
      container.addEventListener(kind, (event) => this.typed(event), { signal });
    container.addEventListener('click', (event) => this.clicked(event), { signal });
    container.addEventListener('submit', (event) => this.submitted(event), { signal });
    this.meet();
  }

  /** Takes over new HTML from the page's loader. */
  renew(html: string): void {
    const next = rootOf(html);
    const root = this.container.firstElementChild;
    if (next !== undefined && root !== null) this.controllers.get(root)?.renew(next);
  }

  stop(): void {
    this.over.abort();
    for (const controller of this.controllers.values()) controller.stop();
  }

  /** Starts new components, stops removed ones, and refreshes children whose parents changed their props. */
  private meet(): void {
    for (const [element, controller] of this.controllers) {
      if (this.container.contains(element)) continue;
      controller.stop();
      this.controllers.delete(element);
    }
    for (const element of this.container.querySelectorAll<HTMLElement>(selector)) {
      if (!this.controllers.has(element)) this.controllers.set(element, new LiveController(element, this.host));
      else if (element.hasAttribute('data-live-props-from-parent')) this.controllers.get(element)?.refresh();
    }
  }

  private controllerOf(target: Element): LiveController | undefined {
    const element = target.closest(selector);
    return element === null ? undefined : this.controllers.get(element);
  }

  private typed({ type, target }: Event): void {
    if (!isField(target)) return;
    const path = target.dataset['model'];
    const choice = target instanceof HTMLSelectElement || isChoice(target);
    if (path !== undefined && (type === 'change') === choice) this.controllerOf(target)?.change(path, target);
  }

  private clicked(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const button = event.target.closest<HTMLElement>('[data-action]:not(form)');
    if (button !== null) return this.act(button);
    const link = event.target.closest('a');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !plain || link.target !== '' || link.origin !== location.origin) return;
    event.preventDefault();
    this.host.go(link.pathname + link.search + link.hash);
  }

  private submitted(event: SubmitEvent): void {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['action'] === undefined) return;
    event.preventDefault();
    this.act(event.target);
  }

  private act(element: HTMLElement): void {
    const { action, args = '{}', files } = element.dataset;
    if (action !== undefined) this.controllerOf(element)?.act(action, argsOf(args), files !== undefined);
  }
}

/** Parses the arguments in an action's HTML: an object with any names. */
function argsOf(text: string): Readonly<Record<string, unknown>> {
  const args: unknown = JSON.parse(text);
  if (!isRecord(args)) throw new Error(`data-args is not a JSON object: ${text}`);
  return args;
}
