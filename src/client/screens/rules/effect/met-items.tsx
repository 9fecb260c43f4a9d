import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import classes from './effect-panel.module.css';
import type { EffectFacetsProps } from './effect-facets.tsx';

/** Loaded when they are first opened: the editor does not wait for them. */
const EffectFacets = lazy(() => import('./effect-facets.tsx'));

/** Below the effect: the facets of the items that the rule meets, once they are asked for. */
export function MetItems(props: EffectFacetsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <section className={`k-card ${classes.panel} ${classes.facets}`} aria-label="Facetten der getroffenen Artikel">
      <Button
        variant="default"
        size="xs"
        aria-expanded={opened}
        leftSection={<IconChartBar size={14} aria-hidden />}
        onClick={() => setOpened(!opened)}
      >
        Facetten der getroffenen Artikel
      </Button>
      {opened && (
        <Suspense fallback={<div className={classes.body} aria-busy />}>
          <p className="k-muted k-small">Wie die Artikel bei der Regel ankommen, auf die ihre Bedingungen zutreffen.</p>
          <EffectFacets {...props} />
        </Suspense>
      )}
    </section>
  );
}
