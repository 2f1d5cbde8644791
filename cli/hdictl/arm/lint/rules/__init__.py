"""The rules over templates, one file a subject; importing a file registers its rules.

document      X00  the text is JSON, and a template
expressions   X01  expressions can be read; what they name is declared
parameters    X02  parameters, and what the parameter file says of them
secrets       X03  where secrets come from, and where they must not go
order         X04  dependsOn
names         X05  names, and what must not be shared
network       X06  VNets and subnets
firewall      X07  network security groups
storage       X08  storage accounts
identity      X09  identities and their roles
clusters      X10  types, API versions, kinds and component versions of clusters
nodes         X11  roles of nodes: which, how many, of what size
shape         X12  properties that there are
features      X13  what goes together on a cluster
"""
