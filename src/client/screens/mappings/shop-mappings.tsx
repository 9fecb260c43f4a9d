import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { loadMappings } from './mapping-loading.ts';
import { MappingManager } from './mapping-manager.tsx';

export { stayOnSelection as shouldRevalidate } from './mapping-path.ts';

export function loader(args: LoaderFunctionArgs) {
  return loadMappings(args, 'shop');
}

/** Keyed by the catalogue: edits of one never reach another. */
export default function ShopMappingsPage() {
  const loaded = useLoaderData<typeof loader>();
  return <MappingManager key={`${loaded.masterid} ${loaded.kind}`} loaded={loaded} />;
}
