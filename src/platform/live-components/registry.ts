import type { Principal } from '#platform/http/server.ts';
import type { LiveComponent } from './live-component.ts';
import { liveComponentNotFound } from './signed-props.ts';

/** The registry of all live components by name. */
export class LiveComponents {
  private readonly byName: ReadonlyMap<string, LiveComponent>;

  constructor(components: readonly LiveComponent[]) {
    this.byName = new Map(components.map((component) => [component.name, component]));
    if (this.byName.size < components.length) throw new Error('two live components have the same name');
  }

  /** Returns a component. @throws KontorError 404 for an unknown name, and for a component that the user may not see */
  find(name: string, { permissions }: Principal): LiveComponent {
    const component = this.byName.get(name);
    if (component === undefined || !permissions.includes(component.access)) throw liveComponentNotFound();
    return component;
  }
}
