// costs.hpp: costs as the families take them.
#pragma once

#include "zdd/family.hpp"

#include <vector>

inline std::vector<reasons::zdd::Cost> priced(const std::vector<double>& costs) {
  std::vector<reasons::zdd::Cost> result;
  for (const double cost : costs)
    result.push_back({cost, 0});
  return result;
}
