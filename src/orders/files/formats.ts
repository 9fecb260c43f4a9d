import { idealo } from './json/idealo.ts';
import type { JsonValue } from './json/json-tree.ts';
import { kaufland } from './json/kaufland.ts';
import { otto } from './json/otto.ts';
import type { OrderFormat } from './order-format.ts';
import { afterbuy } from './xml/afterbuy.ts';
import { openTrans } from './xml/open-trans.ts';
import type { XmlNode } from '#platform/text/xml-tree.ts';

/** All formats of orders that are no tables. A new one is a file of its own and an entry here. */
export const xmlFormats: readonly OrderFormat<XmlNode>[] = [openTrans, afterbuy];
export const jsonFormats: readonly OrderFormat<JsonValue>[] = [idealo, otto, kaufland];
