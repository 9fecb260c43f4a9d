import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { LiveNotice } from './live-controller.ts';
import { LiveTree } from './live-tree.ts';
import { type AddressChange, queryWith } from './page-address.ts';
import type { ForeignAnswer } from './wire.ts';

/** Runs the live components in a container as long as it is mounted. `html`: the newest from the loader. */
export function useLiveComponent(container: RefObject<HTMLElement | null>, html: string) {
  const [notices, setNotices] = useState<readonly LiveNotice[]>([]);
  const [foreign, setForeign] = useState<readonly ForeignAnswer[]>([]);
  const tree = useRef<LiveTree>(null);
  const shown = useRef(html);
  const navigate = useNavigate();
  const go = useEffectEvent((path: string) => void navigate(path));
  // The component already shows the new state: the navigation loads nothing.
  const writeAddress = useEffectEvent((change: AddressChange) => {
    const search = queryWith(location.search, change);
    const how = { replace: !change.step, preventScrollReset: true, defaultShouldRevalidate: false };
    void navigate({ pathname: location.pathname, search, hash: location.hash }, how);
  });
  useEffect(() => {
    if (container.current === null) return undefined;
    const made = new LiveTree(container.current, {
      go: (path) => go(path),
      showForeign: (answer) => setForeign((all) => [...all, answer]),
      tell: (notice) => setNotices((all) => [...all, notice]),
      takeBack: (notice) => setNotices((all) => all.filter((one) => one !== notice)),
      writeAddress: (change) => writeAddress(change),
    });
    tree.current = made;
    return () => made.stop();
  }, [container]);
  useEffect(() => {
    if (shown.current !== html) tree.current?.renew(html);
    shown.current = html;
  }, [html]);
  return { notice: notices.at(-1) ?? null, foreign, closeForeign: () => setForeign([]) };
}
