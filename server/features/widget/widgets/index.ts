import { widgets } from '#contract/widget/widgets.ts'
import { defineFeature } from '../../../feature.ts'
import { openWidgets, serveWidgetScript } from './routes.ts'
import { widgetScripts } from './script.ts'

export const widgetsFeature = defineFeature({
  name: 'widgets',
  calls: [widgets],
  routes: [openWidgets],
  pages: serveWidgetScript,
  onEvents: (context, events) => widgetScripts(context).apply(events),
})
