{{/*
Names are fixed: the custom resources and the roles are the cluster's, so that there is one
installation in each cluster.
*/}}

{{/* What a selector holds: it never changes. Takes (list root component). */}}
{{- define "sigcase.selector" -}}
app.kubernetes.io/name: sigcase
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Labels of every object. Takes (list root component). */}}
{{- define "sigcase.labels" -}}
{{ include "sigcase.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* Takes (list root image). */}}
{{- define "sigcase.image" -}}
{{- $image := index . 1 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default (index . 0).Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Host of the address where people reach the service. */}}
{{- define "sigcase.host" -}}
{{ (urlParse .Values.baseUrl).host | regexFind "^[^:]+" }}
{{- end }}

{{/* Of every pod. Takes the number of user and group. */}}
{{- define "sigcase.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* Of every container. */}}
{{- define "sigcase.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}
