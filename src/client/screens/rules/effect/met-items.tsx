import { Button } from '@mantine/core';
import IconChartBar from 'virtual:icons/chart-bar';
import { useState } from 'react';
import { laterPart } from '#client/page-load/later-part.tsx';
import classes from './effect-panel.module.css';
import type { EffectFacetsProps } from './effect-facets.tsx';

/** Loaded when they are first opened: the editor does not wait for them. */
const EffectFacets = laterPart(() => import('./effect-facets.tsx'), <div className={classes.body} aria-busy />);

/** Below the effect: the facets of the matched items, on request. */
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
        <>
          <p className="k-muted k-small">Wie die Artikel bei der Regel ankommen, auf die ihre Bedingungen zutreffen.</p>
          <EffectFacets {...props} />
        </>
      )}
    </section>
  );
}
