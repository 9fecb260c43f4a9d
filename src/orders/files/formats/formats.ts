import { idealo } from '#orders/files/json/idealo.ts';
import type { JsonValue } from '#orders/files/json/json-tree.ts';
import { kaufland } from '#orders/files/json/kaufland.ts';
import { otto } from '#orders/files/json/otto.ts';
import type { OrderFormat } from './order-format.ts';
import { afterbuy } from '#orders/files/xml/afterbuy.ts';
import { openTrans } from '#orders/files/xml/open-trans.ts';
import type { XmlNode } from '#platform/text/xml-tree.ts';

/** All formats of order files except tables. A new format is a file of its own and an entry here. */
export const xmlFormats: readonly OrderFormat<XmlNode>[] = [openTrans, afterbuy];
export const jsonFormats: readonly OrderFormat<JsonValue>[] = [idealo, otto, kaufland];
