import { widgets } from '#contract/widget/widgets.ts'
import { defineFeature } from '../../../feature.ts'
import { registerWidgetsRoutes, serveWidgetScript } from './routes.ts'
import { widgetScripts } from './script.ts'

export const widgetsFeature = defineFeature({
  name: 'widgets',
  calls: [widgets],
  routes: [registerWidgetsRoutes],
  pages: serveWidgetScript,
  onEvents: (context, events) => widgetScripts(context).apply(events),
})
